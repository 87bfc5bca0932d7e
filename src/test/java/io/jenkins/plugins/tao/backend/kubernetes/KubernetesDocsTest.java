package io.jenkins.plugins.tao.backend.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.rbac.ClusterRole;
import io.fabric8.kubernetes.api.model.rbac.PolicyRule;
import io.fabric8.kubernetes.api.model.rbac.Role;
import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.backend.Backend;
import io.jenkins.plugins.tao.backend.Position;
import io.jenkins.plugins.tao.backend.Stream;
import io.jenkins.plugins.tao.backend.StreamRef;
import io.jenkins.plugins.tao.backend.kubernetes.options.KubernetesOptions;
import io.jenkins.plugins.tao.backend.kubernetes.options.KubernetesTarget;
import io.jenkins.plugins.tao.backend.kubernetes.options.KubernetesText;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.JobKey;
import io.jenkins.plugins.tao.job.JobSpec;
import io.jenkins.plugins.tao.job.JobState;
import io.jenkins.plugins.tao.job.Secret;
import java.io.IOException;
import java.lang.reflect.RecordComponent;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The page for users says what holds. */
class KubernetesDocsTest {
    @TempDir
    Path temporary;

    private static String page(String name) throws IOException {
        return Files.readString(Path.of("docs/backends/" + name + ".md"));
    }

    private static String yaml(String kind) throws IOException {
        Matcher match = Pattern.compile("```yaml\\n(apiVersion: [^`]*kind: " + kind + "\\n[^`]*)```")
                .matcher(page("kubernetes/rights"));
        assertThat(match.find()).isTrue();
        return match.group(1);
    }

    private static Set<String> permissions(List<PolicyRule> rules) {
        Set<String> all = new HashSet<>();
        rules.forEach(rule -> rule.getVerbs()
                .forEach(verb -> rule.getResources()
                        .forEach(resource ->
                                all.add(verb + " " + rule.getApiGroups().get(0) + "/" + resource))));
        return all;
    }

    @Test
    void withTheRoleOfThePageEverythingWorks() throws Exception {
        Set<String> permitted = permissions(
                KubernetesText.FORM.unmarshal(yaml("Role"), Role.class).getRules());
        JobSpec spec = Sample.job("echo $TOKEN; sleep 600")
                .resources(Sample.resources(2, 1))
                .secrets(Map.of("TOKEN", Secret.of("hidden")))
                .build();
        try (SimulatedCluster cluster =
                        new SimulatedCluster("36", temporary.resolve("bin")).node("gpu-1", 8, Map.of());
                Backend backend = new KubernetesType()
                        .open(Sample.target(cluster)
                                .with("volumes", List.of("data:" + temporary + "/pvc"))
                                .build())) {
            cluster.claim("tao-jobs", "data", "ReadWriteMany");
            cluster.server().permitOnly(permitted);

            assertThat(backend.preflight(spec).failed()).isFalse();
            JobHandle job = backend.submit(spec, new JobKey("least"));
            StreamRef out = new StreamRef(job, Stream.OUT);
            Awaitility.await()
                    .until(() -> !backend.poll(Set.of(job)).isEmpty()
                            && backend.read(Map.of(out, Position.START)).containsKey(out));
            backend.diagnose(job);
            backend.cancel(job);
            Awaitility.await()
                    .until(() -> backend.poll(Set.of(job)).values().stream()
                            .allMatch(each -> each.state() == JobState.ENDED));
        }
    }

    @Test
    void theOptionalClusterRoleOnlyLists() throws IOException {
        var role = KubernetesText.FORM.unmarshal(yaml("ClusterRole"), ClusterRole.class);

        assertThat(permissions(role.getRules())).containsExactlyInAnyOrder("list /nodes", "list /pods");
    }

    @Test
    void everySettingAndOptionIsInTheReferenceThatThePageLeadsTo() throws IOException {
        List<RecordComponent> components = new ArrayList<>(List.of(KubernetesTarget.class.getRecordComponents()));
        components.addAll(List.of(KubernetesOptions.class.getRecordComponents()));

        assertThat(page("kubernetes"))
                .contains("(../reference/kubernetes.md#a-target)", "(../reference/kubernetes.md#options-of-a-job)");
        String reference = Files.readString(Path.of("docs/reference/kubernetes.md"));
        assertThat(components).allSatisfy(each -> assertThat(reference).contains("| `" + each.getName() + "` |"));
    }

    @Test
    @Promise("KU-34")
    void thePageLeadsThroughPreparingAGpuCluster() throws IOException {
        assertThat(page("kubernetes/rights"))
                .contains("driver branch 580", "Container Toolkit 1.19")
                .contains("helm repo add nvidia", "helm repo update", "helm install gpu-operator");
    }

    @Test
    @Promise({"KU-46", "KU-52", "KU-53", "KU-54", "KG-08"})
    void thePageSaysWhatIsNotOffered() throws IOException {
        assertThat(page("kubernetes/how-it-works"))
                .contains("**No elastic restart.**", "**No MPI and no Horovod launcher.**")
                .contains("MPI Operator", "Kubeflow Training Operator")
                .contains("Deleting a Job does not release nodes");
        assertThat(page("kubernetes/queues")).contains("**Pods do not start as a gang**", "Kueue", "Volcano");
    }

    @Test
    @Promise("KU-44")
    void thePageHintsAtNetworkPolicies() throws IOException {
        assertThat(page("kubernetes/queues"))
                .contains("a NetworkPolicy that denies it shows as a rendezvous that times", "allow TCP 29500");
    }
}
