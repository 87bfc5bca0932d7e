package io.jenkins.plugins.tao.backend.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.Records;
import io.jenkins.plugins.tao.backend.Backend;
import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.backend.Report;
import io.jenkins.plugins.tao.backend.Report.Check;
import io.jenkins.plugins.tao.backend.Report.Verdict;
import io.jenkins.plugins.tao.backend.kubernetes.options.KubernetesOptions;
import io.jenkins.plugins.tao.backend.kubernetes.options.KubernetesTarget;
import io.jenkins.plugins.tao.backend.kubernetes.request.KubernetesPlan;
import io.jenkins.plugins.tao.job.JobSpec;
import io.jenkins.plugins.tao.job.Secret;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KubernetesPreflightTest {
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

    private void reopen(String minor) throws IOException {
        close();
        start(minor);
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

    @Test
    @Promise({"KU-08", "KU-09", "KU-47"})
    void aClusterWithoutGpusIsWarnedOfAndAGpuJobRefused() throws Exception {
        cluster.node("cpu-1", 0, Map.of());

        Report report = report(gpus(1, 1));
        Report cpu = report(gpus(1, 0));

        assertThat(check(report, "GPUs of the cluster").verdict()).isEqualTo(Verdict.WARNING);
        assertThat(check(report, "GPUs of the cluster").detail())
                .isEqualTo("No nvidia.com/gpu resources allocatable on the cluster");
        assertThat(check(report, "GPUs of the cluster").remedy()).contains("GPU Operator", "kubectl get nodes");
        assertThat(check(report, "room for the job").verdict()).isEqualTo(Verdict.FAILED);
        assertThat(report.failed()).isTrue();
        assertThat(cpu.failed()).isFalse();
        assertThat(cluster.admin().batch().v1().jobs().inAnyNamespace().list().getItems())
                .isEmpty();
    }

    @Test
    @Promise({"KU-42", "TR-73"})
    void moreGpusThanTheClusterHasAreRefusedWithTheNumbers() throws Exception {
        cluster.node("gpu-1", 8, Map.of()).node("gpu-2", 4, Map.of());

        assertThat(check(report(gpus(2, 8)), "room for the job").detail())
                .isEqualTo("asked for 2 x 8 = 16 nvidia.com/gpu, and the cluster has 12 in all");
        assertThat(check(report(gpus(1, 9)), "room for the job").detail()).contains("the largest node has 8");
        assertThat(check(report(gpus(1, 8)), "room for the job").verdict()).isEqualTo(Verdict.PASSED);
    }

    @Test
    void aBusyClusterTakesTheJobAndSaysThatItWaits() throws Exception {
        cluster.node("gpu-1", 8, Map.of());
        JobSpec busy = Sample.job("sleep 60").resources(Sample.resources(1, 8)).build();
        backend.submit(busy, new io.jenkins.plugins.tao.job.JobKey("first"));
        org.awaitility.Awaitility.await()
                .until(() -> cluster.admin().pods().inAnyNamespace().list().getItems().stream()
                        .anyMatch(pod -> pod.getSpec().getNodeName() != null));

        Check room = check(report(gpus(1, 8)), "room for the job");

        assertThat(room.verdict()).isEqualTo(Verdict.WARNING);
        assertThat(room.detail()).contains("room for 0 of 1 pods is free now");
    }

    @Test
    void withoutTheRightToListNodesTheCapacityIsUnknownAndNotRefused() throws Exception {
        cluster.server().deny("list /nodes");

        Report report = report(gpus(1, 8));

        assertThat(report.failed()).isFalse();
        assertThat(check(report, "GPUs of the cluster").verdict()).isEqualTo(Verdict.WARNING);
        assertThat(check(report, "GPUs of the cluster").detail()).contains("may not list nodes");
    }

    @Test
    @Promise("KU-17")
    void theRightToCreateJobsIsCheckedBeforeLaunch() throws Exception {
        cluster.server().deny("create batch/jobs");

        Check check = check(report(gpus(1, 0)), "create Jobs");

        assertThat(check.verdict()).isEqualTo(Verdict.FAILED);
        assertThat(check.detail()).contains("may not create Jobs in namespace 'tao-jobs'");
    }

    @Test
    void eachMissingPermissionHasItsConsequence() throws Exception {
        List.of("list /pods", "get /pods/log", "list /events", "delete batch/jobs", "patch batch/jobs")
                .forEach(cluster.server()::deny);

        Report report = report(gpus(1, 0));

        assertThat(report.failed()).isFalse();
        assertThat(check(report, "get pods/log").detail()).contains("no logs");
        assertThat(check(report, "list events").detail()).contains("no reasons from events");
        assertThat(check(report, "delete jobs").detail()).contains("cannot be cancelled");
        assertThat(check(report, "patch jobs").detail()).contains("deadlines");
    }

    @Test
    @Promise("KU-43")
    void severalNodesNeedANewerServer() throws Exception {
        reopen("27");
        cluster.node("gpu-1", 8, Map.of()).node("gpu-2", 8, Map.of());

        Check check = check(report(gpus(2, 8)), "server version");

        assertThat(check.verdict()).isEqualTo(Verdict.FAILED);
        assertThat(check.detail()).isEqualTo("several nodes need Kubernetes 1.28 or newer, and this is 1.27");
        assertThat(report(gpus(1, 8)).failed()).isFalse();
    }

    @Test
    @Promise({"KU-04", "KU-05"})
    void theRuntimeOfNodesIsCheckedUnlessAProviderLooksAfterThem() throws Exception {
        cluster.node("old", 8, Map.of("nvidia.com/cuda.driver.major", "535"))
                .node("new", 8, Map.of("nvidia.com/cuda.driver-version.major", "580"))
                .node("bare", 8, Map.of());
        Report own = report(gpus(1, 1));
        backend.close();
        backend = new KubernetesType()
                .open(Sample.target(cluster).with("managedNodes", true).build());
        Report managed = report(gpus(1, 1));

        assertThat(check(own, "GPU runtime of the nodes: old").verdict()).isEqualTo(Verdict.FAILED);
        assertThat(check(own, "GPU runtime of the nodes: new").verdict()).isEqualTo(Verdict.PASSED);
        assertThat(check(own, "GPU runtime of the nodes: bare").remedy()).contains("nvidia-ctk", "managedNodes: true");
        assertThat(check(managed, "GPU runtime of the nodes").verdict()).isEqualTo(Verdict.SKIPPED);
        assertThat(managed.failed()).isFalse();
    }

    @Test
    @Promise("KU-18")
    void dataMustLieOnAVolumeOfThePod() throws Exception {
        cluster.claim("tao-jobs", "data", "ReadWriteMany");
        KubernetesOptions mounted = Records.of(KubernetesOptions.class, "volumes", List.of("data:/data"));
        KubernetesOptions missing = Records.of(KubernetesOptions.class, "volumes", List.of("nosuch:/data"));

        Report unseen = report(gpus(1, 0).inputs(List.of("/tmp")));
        Report seen = report(gpus(1, 0).inputs(List.of("/data/coco")).options(mounted));
        Report absent = report(gpus(1, 0).inputs(List.of("/data/coco")).options(missing));

        assertThat(check(unseen, "input /tmp").detail()).contains("that this machine may see it proves nothing");
        assertThat(unseen.failed()).isTrue();
        assertThat(seen.failed()).isFalse();
        assertThat(check(absent, "volume nosuch").detail()).contains("there is no claim 'nosuch'");
    }

    @Test
    @Promise("KG-12")
    void aVolumeForOneNodeIsRefusedForSeveral() throws Exception {
        cluster.claim("tao-jobs", "rwo", "ReadWriteOnce")
                .node("gpu-1", 8, Map.of())
                .node("gpu-2", 8, Map.of());
        KubernetesOptions mounted = Records.of(KubernetesOptions.class, "volumes", List.of("rwo:/results"));

        assertThat(check(report(gpus(2, 8).options(mounted)), "volume rwo").detail())
                .contains("ReadWriteOnce", "only one node may hold it", "2 pods");
        assertThat(check(report(gpus(1, 8).options(mounted)), "volume rwo").verdict())
                .isEqualTo(Verdict.PASSED);
    }

    @Test
    @Promise({"KG-03", "KG-04"})
    void aFloatingTagAndResultsWithoutAVolumeAreWarnedOf() throws Exception {
        Report floating = report(gpus(1, 0).image("nvcr.io/nvidia/tao/tao-toolkit:latest"));
        Report fixed = report(gpus(1, 0).image("nvcr.io/nvidia/tao/tao-toolkit@sha256:0123"));

        assertThat(check(floating, "image").verdict()).isEqualTo(Verdict.WARNING);
        assertThat(check(floating, "image").remedy()).contains("sha256");
        assertThat(check(fixed, "image").verdict()).isEqualTo(Verdict.PASSED);
        assertThat(check(fixed, "results").verdict()).isEqualTo(Verdict.WARNING);
        assertThat(check(fixed, "results").detail()).contains("lost with the pod");
    }

    @Test
    @Promise({"KU-14", "KU-15", "KU-16"})
    void credentialsAreAskedForOnlyWhereTheyAreUsed() throws Exception {
        Report plain = report(gpus(1, 0));
        Report s3 = report(gpus(1, 0).inputs(List.of("s3://team/coco")));

        assertThat(plain.checks().toString())
                .doesNotContain("S3_BUCKET_NAME", "ACCESS_KEY", "HF_TOKEN", "LEPTON", "SLURM", "BREV");
        assertThat(plain.failed()).isFalse();
        assertThat(s3.checks().toString())
                .contains("S3_BUCKET_NAME", "ACCESS_KEY", "SECRET_KEY")
                .doesNotContain("HF_TOKEN", "LEPTON", "SLURM", "BREV");
        assertThat(s3.failed()).isTrue();
    }

    @Test
    @Promise("KU-51")
    void aRefusedLoginSaysHowToCheckIt() throws Exception {
        backend.close();
        backend = new KubernetesType()
                .open(Sample.target(cluster).with("token", Secret.of("old")).build());

        Check check = check(report(gpus(1, 0)), "credential");

        assertThat(check.verdict()).isEqualTo(Verdict.FAILED);
        assertThat(check.detail()).contains("does not accept the credential (401)");
        assertThat(check.remedy()).contains("kubectl get nodes", "$KUBECONFIG");
    }

    @Test
    @Promise("KU-07")
    void anUnreachableClusterNamesWhereItsConfigurationIs() throws Exception {
        backend.close();
        backend = new KubernetesType()
                .open(Records.of(
                        KubernetesTarget.class,
                        "name",
                        "k8s",
                        "server",
                        "http://127.0.0.1:1",
                        "token",
                        Secret.of("t")));

        Check check = check(report(gpus(1, 0)), "cluster");

        assertThat(check.verdict()).isEqualTo(Verdict.FAILED);
        assertThat(check.remedy()).contains("~/.kube/config", "$KUBECONFIG");
    }

    @Test
    @Promise({"KU-06", "KU-19"})
    void preflightAsksTheApiAloneAndWritesNothing() throws Exception {
        cluster.node("gpu-1", 8, Map.of());
        cluster.server().requests();

        report(gpus(1, 1));

        assertThat(cluster.server().requests())
                .isNotEmpty()
                .allMatch(request -> request.startsWith("GET ")
                        || request.contains("selfsubjectaccessreviews")
                        || request.contains("dryRun=All"));
    }

    @Test
    void theServerItselfTriesTheJobOutAndItsWarningsAreTold() throws Exception {
        Check taken = check(report(gpus(1, 0)), "the Job, tried out");
        cluster.server().warn("would violate PodSecurity \"restricted:latest\": runAsNonRoot != true");
        Check warned = check(report(gpus(1, 0)), "the Job, tried out");

        assertThat(taken.verdict()).isEqualTo(Verdict.PASSED);
        assertThat(warned.verdict()).isEqualTo(Verdict.WARNING);
        assertThat(warned.detail()).contains("would violate PodSecurity \"restricted:latest\": runAsNonRoot");
        assertThat(warned.remedy()).contains("podSecurity: restricted", "runAsUser");
    }

    @Test
    void aNamespaceThatIsNotThereFailsTheCheckEvenOfAnAccountThatMayDoAnything() throws Exception {
        tryOut(404, "NotFound", "namespaces \"nosuch\" not found");

        Check check = check(report(gpus(1, 0)), "the Job, tried out");

        assertThat(check.verdict()).isEqualTo(Verdict.FAILED);
        assertThat(check.detail()).contains("namespaces \"nosuch\" not found");
    }

    @Test
    void aWebhookThatCannotBeTriedOutIsNoFailure() throws Exception {
        tryOut(400, "BadRequest", "admission webhook \"x.example\" does not support dry run");

        assertThat(check(report(gpus(1, 0)), "the Job, tried out").verdict()).isEqualTo(Verdict.PASSED);
    }

    private void tryOut(int code, String reason, String message) {
        cluster.server()
                .fault(
                        request -> request.getPath().contains("dryRun=All"),
                        SimulatedServer.status(code, reason, message),
                        false);
    }

    @Test
    void aStorageOfTheTargetIsUsedOnlyByJobsThatNeedIt() throws Exception {
        KubernetesTarget target =
                Sample.target(cluster).with("s3", Sample.deadStorage()).build();

        KubernetesPlan plan = KubernetesPlan.of(
                target, gpus(1, 0).build(), new io.jenkins.plugins.tao.job.JobKey("x"), Optional.empty());

        assertThat(plan.payload().resultsAddress()).hasToString("Optional[s3://team/results/x]");
        assertThat(plan.payload().secrets()).containsKeys("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY");
    }
}
