package io.jenkins.plugins.tao.backend.kubernetes.fetch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.Pod;
import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.backend.Paths;
import io.jenkins.plugins.tao.backend.Tidying;
import io.jenkins.plugins.tao.backend.kubernetes.KubernetesBackend;
import io.jenkins.plugins.tao.backend.kubernetes.SimulatedServer;
import io.jenkins.plugins.tao.backend.kubernetes.options.KubernetesNames;
import io.jenkins.plugins.tao.backend.kubernetes.request.FetchPlace;
import io.jenkins.plugins.tao.backend.kubernetes.request.FetchPodRequest;
import io.jenkins.plugins.tao.job.JobHandle;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What lies on a volume is read by a small pod, and only where somebody asks for it. */
class VolumeFetchTest extends VolumeFetchCase {
    @Test
    @Promise("NS-19")
    void theFilesThatAPatternNamesComeOffTheVolumeByteByByteAndThePodIsGoneThen() throws Exception {
        JobHandle job = trained();

        fetch(job);

        Path there = temporary.resolve("pvc/results/train");
        assertThat(sink.names()).contains("results/train/epoch_1.pth", "results/export/a b/it's.onnx");
        assertThat(sink.names()).doesNotContain("results/train/note.txt");
        assertThat(sink.bytes("results/train/epoch_1.pth"))
                .isEqualTo(Files.readAllBytes(there.resolve("train/epoch_1.pth")));
        assertThat(sink.skipped()).isEmpty();
        assertThat(readers()).isEmpty();
    }

    @Test
    @Promise("NS-19")
    void withoutTheRightToRunProgramsInPodsFilesComeByTheirLogs() throws Exception {
        JobHandle job = trained();
        cluster.server().deny("get /pods/exec");

        fetch(job);

        Path there = temporary.resolve("pvc/results/train");
        assertThat(sink.bytes("results/train/epoch_1.pth"))
                .isEqualTo(Files.readAllBytes(there.resolve("train/epoch_1.pth")));
        assertThat(sink.names()).contains("results/export/a b/it's.onnx");
        assertThat(sink.skipped()).containsOnlyKeys("programs in pods");
        assertThat(readers()).isEmpty();
    }

    @Test
    @Promise("NS-19")
    void byLogsWhatIsLargerThanALogStaysAndIsTold() throws Exception {
        JobHandle job = trained();
        Path large = temporary.resolve("pvc/results/train/train/large.pth");
        Files.write(large, new byte[7 << 20]);
        cluster.server().deny("get /pods/exec");

        fetch(job);

        assertThat(sink.skipped().get("results/train/large.pth")).contains("more than the limit of 6 MiB");
        assertThat(sink.names()).contains("results/train/epoch_1.pth");
    }

    @Test
    @Promise("NS-19")
    void aPodThatMayNotBeMadeIsARefusalAndNotADirectoryWithoutFiles() throws Exception {
        JobHandle job = trained();
        cluster.server().deny("create /pods");

        assertThatThrownBy(() -> fetch(job))
                .isInstanceOf(BackendException.Denied.class)
                .hasMessageContaining("does not permit to create the pod");
        assertThat(sink.skipped().get("results/train/*.pth"))
                .contains("it stays on the volume, below " + job.resultsDirectory())
                .contains("create /pods");
        assertThat(sink.names()).contains("logs/main.out");
    }

    @Test
    @Promise("NS-19")
    void aQuotaIsToldInTheClustersWords() throws Exception {
        JobHandle job = trained();
        cluster.server()
                .fault(
                        request -> request.getMethod().equals("POST"),
                        SimulatedServer.status(
                                403,
                                "Forbidden",
                                "pods \"tao-fetch\" is forbidden: exceeded quota: team, requested: pods=1"),
                        false);

        assertThatThrownBy(() -> fetch(job))
                .isInstanceOf(BackendException.Rejected.class)
                .hasMessageContaining("exceeded quota: team");
    }

    @Test
    @Promise("NS-19")
    void aPodThatNoNodeTakesIsToldWithItsReasonAndRemoved() throws Exception {
        JobHandle job = trained();
        cluster.admin().nodes().withName("gpu-1").delete();
        cluster.admin().nodes().withName("gpu-2").delete();

        assertThatThrownBy(() -> fetch(job))
                .isInstanceOf(BackendException.Rejected.class)
                .hasMessageContaining("did not run in time: 0/0 nodes are available");
        assertThat(readers()).isEmpty();
    }

    @Test
    @Promise("NS-19")
    void anImageThatCannotBePulledIsToldAtOnce() throws Exception {
        reopened(target().with("fetchFromVolume", true)
                .with("fetchImage", "registry.example/nosuch:1")
                .build());
        JobHandle job = finished("pull");

        assertThatThrownBy(() -> fetch(job)).hasMessageContaining("cannot start: ImagePullBackOff: Back-off pulling");
        assertThat(readers()).isEmpty();
    }

    @Test
    @Promise("NS-19")
    void aConnectionThatIsLostInTheMiddleIsTakenUpWhereItBrokeOff() throws Exception {
        JobHandle job = trained();
        cluster.server().cutAfter(100_000);

        fetch(job);

        Path there = temporary.resolve("pvc/results/train");
        assertThat(sink.bytes("results/train/epoch_1.pth"))
                .isEqualTo(Files.readAllBytes(there.resolve("train/epoch_1.pth")));
        assertThat(readers()).isEmpty();
    }

    @Test
    @Promise("NS-19")
    void aPodThatIsEvictedInTheMiddleLeavesNoHalfFileAndIsTold() throws Exception {
        JobHandle job = trained();
        cluster.server()
                .cutAfter(
                        100_000,
                        () -> readers()
                                .forEach(pod -> cluster.admin().resource(pod).delete()));

        assertThatThrownBy(() -> fetch(job))
                .isInstanceOf(BackendException.Unreachable.class)
                .hasMessageContaining("the pod is gone");

        assertThat(sink.names()).doesNotContain("results/train/epoch_1.pth");
        assertThat(sink.skipped().get("results/train/*.pth")).contains("it stays on the volume");
    }

    @Test
    @Promise("NS-19")
    void anAdmissionThatRefusesProgramsInPodsIsNoEndEither() throws Exception {
        JobHandle job = trained();
        cluster.server()
                .fault(
                        request -> request.getPath().contains("/exec"),
                        SimulatedServer.status(403, "Forbidden", "admission webhook denies exec"),
                        false);

        fetch(job);

        assertThat(sink.names()).contains("results/train/epoch_1.pth");
        assertThat(sink.skipped()).containsOnlyKeys("programs in pods");
    }

    @Test
    @Promise("NS-19")
    void aLogWithoutItsEndIsNoListOfFiles() throws Exception {
        JobHandle job = trained();
        cluster.server().deny("get /pods/exec");
        cluster.server()
                .fault(
                        request -> request.getPath().contains("tao-fetch-")
                                && request.getPath().contains("/log"),
                        new io.fabric8.mockwebserver.http.MockResponse()
                                .setResponseCode(200)
                                .setBody("@begin\n"),
                        false);

        assertThatThrownBy(() -> fetch(job))
                .isInstanceOf(BackendException.Unreachable.class)
                .hasMessageContaining("did not come whole");
        assertThat(readers()).isEmpty();
    }

    @Test
    @Promise("NS-19")
    void aPodThatIsEvictedBeforeItRunsIsNoEmptyDirectory() throws Exception {
        JobHandle job = trained();
        cluster.freeze();
        KubernetesBackend impatient =
                new KubernetesBackend(target().with("fetchFromVolume", true).build(), 60, () -> {
                    readers().forEach(pod -> cluster.admin().resource(pod).delete());
                    return true;
                });

        assertThatThrownBy(() -> impatient.fetch(job, PLAN, sink))
                .isInstanceOf(BackendException.Unreachable.class)
                .hasMessageContaining("was taken away before it ran");
        impatient.close();
    }

    @Test
    @Promise("NS-19")
    void withoutARequestNoPodIsMadeAndTheVolumeIsNamed() throws Exception {
        reopened(target().build());
        JobHandle job = finished("quiet");
        cluster.server().requests();

        fetch(job);

        assertThat(cluster.server().requests()).noneMatch(each -> each.startsWith("POST"));
        assertThat(sink.skipped().get("results/train/*.pth")).contains("tao wait --from-volume");
    }

    @Test
    @Promise("NS-19")
    void aRequestOfTheMomentOrOfTheJobIsEnough() throws Exception {
        reopened(target().build());
        JobHandle job = finished("asked");
        backend.fetch(job, PLAN.fromVolume(true), sink);
        assertThat(sink.names()).contains("results/train/epoch_1.pth");
    }

    @Test
    @Promise("NS-19")
    void whatACrashLeftIsRemovedByAClean() throws Exception {
        JobHandle job = trained();
        KubernetesBackend crashed =
                new KubernetesBackend(target().with("fetchFromVolume", true).build(), 60, () -> {
                    throw new IllegalStateException("the process is killed here");
                });
        cluster.server().deny("delete /pods");
        assertThatThrownBy(() -> crashed.fetch(job, PLAN, sink)).isInstanceOf(IllegalStateException.class);
        crashed.close();
        cluster.server().allow("delete /pods");
        assertThat(readers()).hasSize(1);
        assertThat(((Tidying) backend).tidy(false).jobs()).isEmpty();

        cluster.server().ahead(FetchPodRequest.LIMIT.toSeconds() + 60);
        Tidying.Tidied tidied = ((Tidying) backend).tidy(false);

        assertThat(tidied.jobs()).hasSize(1).first().asString().startsWith("pod tao-fetch-");
        assertThat(readers()).isEmpty();
    }

    @Test
    @Promise("NS-19")
    void thePodHasNoRightsAndGoesWithTheJob() throws Exception {
        JobHandle job = trained();
        var owner = cluster.job("tao-jobs", "tao-train");
        Pod pod = FetchPodRequest.render(
                FetchPlace.of(owner, job.resultsDirectory(), target().build()).orElseThrow(),
                "tao-fetch-1",
                "me",
                FetchPodRequest.waiting());

        var spec = pod.getSpec();
        assertThat(spec.getActiveDeadlineSeconds()).isEqualTo(7200);
        assertThat(spec.getAutomountServiceAccountToken()).isFalse();
        assertThat(spec.getContainers().get(0).getVolumeMounts().get(0).getReadOnly())
                .isTrue();
        assertThat(spec.getContainers().get(0).getResources().getLimits()).doesNotContainKey("nvidia.com/gpu");
        assertThat(spec.getContainers().get(0).getSecurityContext().getAllowPrivilegeEscalation())
                .isFalse();
        assertThat(pod.getMetadata().getOwnerReferences().get(0).getUid())
                .isEqualTo(owner.getMetadata().getUid());
        assertThat(pod.getMetadata().getAnnotations()).containsEntry(KubernetesNames.CONTROLLER, "me");
    }

    @Test
    @Promise("NS-19")
    void theRightsOfThePageAreEnough() throws Exception {
        JobHandle job = trained();
        cluster.server()
                .permitOnly(Set.of(
                        "get batch/jobs",
                        "list /pods",
                        "get /pods/log",
                        "create /pods",
                        "get /pods",
                        "delete /pods",
                        "get /pods/exec",
                        "create /pods/exec"));

        fetch(job);

        assertThat(sink.names()).contains("results/train/epoch_1.pth");
        assertThat(sink.skipped()).isEmpty();
    }

    @Test
    @Promise("NS-19")
    void aPathOnAVolumeIsListed() throws Exception {
        reopened(target().with("fetchImage", "busybox:1.36").build());
        finished("seen");

        Paths.Listing listing =
                ((Paths) backend).list(temporary + "/pvc/results/seen/train").orElseThrow();

        assertThat(listing.entries()).extracting(Paths.Entry::name).containsExactly("epoch_1.pth", "note.txt");
        assertThat(((Paths) backend).list(temporary + "/pvc/nothing")).isEmpty();
        assertThat(readers()).isEmpty();
    }
}
