package io.jenkins.plugins.tao.backend.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.mockwebserver.http.MockResponse;
import io.jenkins.plugins.tao.Records;
import io.jenkins.plugins.tao.backend.Backend;
import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.backend.Report;
import io.jenkins.plugins.tao.backend.Report.Check;
import io.jenkins.plugins.tao.backend.Report.Verdict;
import io.jenkins.plugins.tao.backend.kubernetes.options.KubernetesOptions;
import io.jenkins.plugins.tao.job.JobSpec;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a check asks of the cluster again, and what of queues and pools of nodes it tells. */
class KubernetesPoolsTest {
    @TempDir
    Path temporary;

    private SimulatedCluster cluster;
    private Backend backend;

    private Report report(JobSpec.Builder job) throws BackendException {
        return backend.preflight(job.build());
    }

    @BeforeEach
    void open() throws IOException {
        start("36");
    }

    private void start(String minor) throws IOException {
        cluster = new SimulatedCluster(minor, temporary.resolve("bin"));
        backend = new KubernetesType().open(Sample.target(cluster).build());
    }

    @AfterEach
    void close() {
        backend.close();
        cluster.close();
    }

    private static Check check(Report report, String name) {
        return report.checks().stream()
                .filter(each -> each.name().startsWith(name))
                .findFirst()
                .orElseThrow(() -> new AssertionError(name + " is not among " + report));
    }

    private static JobSpec.Builder gpus(int nodes, int gpus) {
        return Sample.job("train").resources(Sample.resources(nodes, gpus));
    }

    private long asked(String part) {
        return cluster.server().requests().stream()
                .filter(request -> request.contains(part))
                .count();
    }

    @Test
    void whatManyJobsAskAlikeIsAskedOnceAMinute() throws Exception {
        cluster.node("gpu-1", 8, Map.of());
        report(gpus(1, 1));
        List<String> first = cluster.server().requests();

        for (int i = 0; i < 5; i++) {
            report(gpus(1, 1));
        }
        List<String> more = cluster.server().requests();
        cluster.server().ahead(90);
        report(gpus(1, 1)); // whose own answers tell the time
        report(gpus(1, 1));

        assertThat(first).anyMatch(request -> request.contains("/nodes"));
        assertThat(more)
                .isNotEmpty()
                .noneMatch(request -> request.contains("selfsubjectaccessreviews")
                        || request.contains("/version")
                        || request.contains("/nodes"));
        assertThat(asked("selfsubjectaccessreviews"))
                .isEqualTo(first.stream()
                        .filter(request -> request.contains("selfsubjectaccessreviews"))
                        .count());
    }

    private void answer(String end, String json) {
        cluster.server()
                .fault(
                        request -> request.getPath().replaceAll("\\?.*", "").endsWith(end),
                        new MockResponse()
                                .setResponseCode(200)
                                .setHeader("Content-Type", "application/json")
                                .setBody(json),
                        false);
    }

    private Check queue(String answer) throws Exception {
        answer(
                "/apis/kueue.x-k8s.io/v1beta1",
                "{\"kind\":\"APIResourceList\",\"apiVersion\":\"v1\",\"groupVersion\":\"kueue.x-k8s.io/v1beta1\",\"resources\":"
                        + "[{\"name\":\"localqueues\",\"namespaced\":true,\"kind\":\"LocalQueue\",\"verbs\":[\"list\"]}]}");
        if (!answer.isEmpty()) {
            answer("/namespaces/tao-jobs/localqueues", answer);
        }
        KubernetesOptions queued = Records.of(KubernetesOptions.class, "queue", "gpus");
        return check(report(gpus(1, 0).options(queued)), "queue gpus");
    }

    private static String queues(String name) {
        return "{\"kind\":\"LocalQueueList\",\"apiVersion\":\"kueue.x-k8s.io/v1beta1\",\"metadata\":{},\"items\":"
                + "[{\"kind\":\"LocalQueue\",\"apiVersion\":\"kueue.x-k8s.io/v1beta1\",\"metadata\":{\"name\":\"" + name
                + "\",\"namespace\":\"tao-jobs\"}}]}";
    }

    @Test
    void aQueueThatIsNotThereIsNamedBeforeTheJobWaitsForIt() throws Exception {
        Check missing = queue(queues("cpus"));
        Check there = queue(queues("gpus"));
        cluster.server().deny("list kueue.x-k8s.io/localqueues");
        Check hidden = queue("");

        assertThat(missing.verdict()).isEqualTo(Verdict.FAILED);
        assertThat(missing.detail()).contains("no LocalQueue of this name in namespace 'tao-jobs', only cpus");
        assertThat(there.verdict()).isEqualTo(Verdict.PASSED);
        assertThat(hidden.verdict()).isEqualTo(Verdict.WARNING);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "cloud.google.com/gke-nodepool",
                "eks.amazonaws.com/nodegroup",
                "kubernetes.azure.com/agentpool",
                "karpenter.sh/nodepool"
            })
    void aPoolOfGpuNodesThatIsAtZeroNowIsWarnedOf(String label) throws Exception {
        cluster.node("cpu-1", 0, Map.of(label, "default"));

        Report report = report(gpus(1, 8));

        assertThat(report.failed()).isFalse();
        assertThat(check(report, "room for the job").verdict()).isEqualTo(Verdict.WARNING);
        assertThat(check(report, "room for the job").detail()).contains("pools of nodes may grow");
    }

    @Test
    void nodesThatAProviderLooksAfterMayGrowToo() throws Exception {
        cluster.node("small", 1, Map.of());
        backend.close();
        backend = new KubernetesType()
                .open(Sample.target(cluster).with("managedNodes", true).build());

        assertThat(check(report(gpus(1, 8)), "room for the job").verdict()).isEqualTo(Verdict.WARNING);
    }
}
