package io.jenkins.plugins.tao.backend.kubernetes.status;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.EventBuilder;
import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.Records;
import io.jenkins.plugins.tao.backend.kubernetes.Captured;
import io.jenkins.plugins.tao.backend.kubernetes.ClusterTest;
import io.jenkins.plugins.tao.backend.kubernetes.Nodes;
import io.jenkins.plugins.tao.backend.kubernetes.Sample;
import io.jenkins.plugins.tao.backend.kubernetes.checks.CapacityReply;
import io.jenkins.plugins.tao.backend.kubernetes.options.KubernetesOptions;
import io.jenkins.plugins.tao.backend.kubernetes.view.JobView;
import io.jenkins.plugins.tao.job.Ending;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.JobState;
import io.jenkins.plugins.tao.job.JobStatus;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which waiting jobs can never start, and which may. */
class NeverStartsTest extends ClusterTest {
    private static final Instant SOON = Instant.parse("2026-11-21T17:01:00Z");

    private static boolean never(JobView view, CapacityReply nodes) {
        return KubernetesReply.status(view, Optional.of(nodes), Optional.empty())
                .outlook()
                .never();
    }

    @ParameterizedTest
    @ValueSource(strings = {"too-many-gpus-1.28", "too-many-gpus-1.36"})
    @Promise("TR-21")
    void moreGpusThanAnyNodeHasCanNeverStart(String name) {
        assertThat(never(Captured.view(name), Nodes.gpus("n", 4))).isTrue();
        assertThat(never(Captured.view(name), Nodes.plain("n"))).isTrue();
        assertThat(never(Captured.view(name), Nodes.gpus("n", 8))).isFalse();
        assertThat(never(Captured.view(name), Nodes.cordoned("n", 8))).isFalse();
        assertThat(never(Captured.view(name), Nodes.tainted("n", 8))).isFalse();
        assertThat(never(Captured.view(name), new CapacityReply(List.of()))).isFalse();
        assertThat(never(Captured.view(name, SOON), Nodes.gpus("n", 4))).isFalse();
    }

    @Test
    @Promise("TR-21")
    void aClusterThatGrowsForThePodMayStartIt() {
        JobView view = Captured.view("too-many-gpus-1.36");
        List<io.fabric8.kubernetes.api.model.Event> events = new ArrayList<>(view.events());
        events.add(new EventBuilder()
                .withNewMetadata()
                .withCreationTimestamp("2026-11-21T17:00:30Z")
                .endMetadata()
                .withReason("TriggeredScaleUp")
                .withMessage("pod triggered scale-up: [{gpu 0->1 (max: 4)}]")
                .withNewInvolvedObject()
                .withKind("Pod")
                .withName(view.pods().get(0).name())
                .endInvolvedObject()
                .build());

        assertThat(never(new JobView(view.job(), view.listed(), events, view.now()), Nodes.gpus("n", 4)))
                .isFalse();
    }

    @ParameterizedTest
    @CsvSource({
        "manifest for nvcr.io/x:y not found: manifest unknown, true",
        "failed to resolve reference nvcr.io/x:y: nvcr.io/x:y: not found, true",
        "pull access denied: repository does not exist or may require authorization: not found, false",
        "dial tcp: i/o timeout, false",
    })
    @Promise("TR-21")
    void anImageThatIsNotInTheRegistryCanNeverBePulled(String message, boolean never) {
        JobView view = Captured.view("image-pull");
        view.pods().get(0).waiting().orElseThrow().setMessage(message);

        assertThat(never(view, Nodes.gpus("n", 8))).isEqualTo(never);
        assertThat(never(new JobView(view.job(), view.listed(), view.events(), Optional.of(SOON)), Nodes.gpus("n", 8)))
                .isFalse();
    }

    /** What containerd says of its own store ends in "not found", too. */
    @ParameterizedTest
    @ValueSource(strings = {"snapshot-not-found", "content-not-found"})
    void aPartThatTheNodeLostIsNoMissingImage(String name) {
        JobView view = Captured.view(name);

        assertThat(never(view, Nodes.gpus("n", 8))).isFalse();
        assertThat(KubernetesReply.status(view, Optional.empty(), Optional.empty())
                        .reason()
                        .orElseThrow())
                .contains("the node's own image store")
                .doesNotContain("has no such image");
    }

    @Test
    @Promise("TR-21")
    void aLabelThatNoNodeHasIsSeenInTheCluster() throws Exception {
        JobHandle job = submit(
                Sample.job("true")
                        .options(Records.of(KubernetesOptions.class, "nodeSelector", Map.of("gpu", "b300")))
                        .build(),
                "label");
        await().until(() -> look(job).nativeState().equals("Unschedulable"));
        boolean soon = look(job).outlook().never();

        cluster.server().ahead(400);
        JobStatus later = look(job);

        assertThat(soon).isFalse();
        assertThat(later.state()).isEqualTo(JobState.PENDING);
        assertThat(later.outlook().never()).isTrue();
        assertThat(later.reason().orElseThrow()).contains("{gpu=b300}");
        backend.cancel(job);
        assertThat(until(job, JobState.ENDED).ending()).hasValue(Ending.CANCELLED);
    }
}
