package io.jenkins.plugins.tao.backend.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.scheduling.v1.PriorityClassBuilder;
import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.backend.Discovery;
import io.jenkins.plugins.tao.backend.Discovery.Found;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What a cluster offers to jobs. */
class KubernetesDiscoveryTest extends ClusterTest {
    private final Discovery discovery = new KubernetesType();

    @Test
    @Promise("TR-51")
    void productsClaimsAndPrioritiesAreListedForTheFieldsThatTakeThem() throws Exception {
        cluster.node("h100-1", 8, Map.of("nvidia.com/gpu.product", "H100"));
        cluster.claim("tao-jobs", "coco", "ReadWriteMany");
        cluster.admin()
                .scheduling()
                .v1()
                .priorityClasses()
                .resource(new PriorityClassBuilder()
                        .withNewMetadata()
                        .withName("urgent")
                        .endMetadata()
                        .withValue(10)
                        .build())
                .create();

        List<Found> found = discovery.discover(Sample.target(cluster).build());

        assertThat(found)
                .extracting(each -> each.field() + " " + each.value())
                .contains("nodeSelector nvidia.com/gpu.product: H100", "volumes coco:/data", "priorityClass urgent");
        assertThat(discovery.discover(Sample.target(cluster).build(), "volumes"))
                .extracting(Found::kind)
                .containsExactly("claim");
    }

    @Test
    @Promise("TR-51")
    void whatMayNotBeListedIsToldAsNotKnown() throws Exception {
        cluster.server().deny("list /nodes");

        List<Found> found = discovery.discover(Sample.target(cluster).build(), "nodeSelector");

        assertThat(found).singleElement().satisfies(each -> {
            assertThat(each.kind()).isEqualTo("not known");
            assertThat(each.facts().get("why")).contains("403");
        });
    }
}
