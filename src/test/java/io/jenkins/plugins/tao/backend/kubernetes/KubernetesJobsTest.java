package io.jenkins.plugins.tao.backend.kubernetes;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.Records;
import io.jenkins.plugins.tao.backend.Backend;
import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.backend.Position;
import io.jenkins.plugins.tao.backend.Stream;
import io.jenkins.plugins.tao.backend.StreamRef;
import io.jenkins.plugins.tao.backend.Tail;
import io.jenkins.plugins.tao.backend.kubernetes.options.Kubeconfig;
import io.jenkins.plugins.tao.backend.kubernetes.options.KubernetesTarget;
import io.jenkins.plugins.tao.job.Ending;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.JobKey;
import io.jenkins.plugins.tao.job.JobSpec;
import io.jenkins.plugins.tao.job.JobState;
import io.jenkins.plugins.tao.job.JobStatus;
import io.jenkins.plugins.tao.job.Secret;
import io.jenkins.plugins.tao.remote.PlayedGpus;
import io.jenkins.plugins.tao.status.MachineReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What happens to jobs in a cluster. */
class KubernetesJobsTest extends ClusterTest {
    @ParameterizedTest
    @ValueSource(strings = {"28", "36"})
    @Promise({"KU-29", "KU-37", "KU-38", "KU-40", "KU-45"})
    void eachNodeOfAGangKnowsItsPlaceInBothSpellings(String minor) throws Exception {
        reopen(minor);
        JobSpec spec = Sample.job("echo $NODE_RANK of $WORLD_SIZE/$NNODES x $NUM_GPU_PER_NODE/$NPROC_PER_NODE"
                        + " at $MASTER_ADDR:$MASTER_PORT by $NCCL_SOCKET_IFNAME")
                .resources(Sample.resources(2, 8))
                .env(Map.of("NCCL_SOCKET_IFNAME", "ib0", "MASTER_PORT", minor.equals("28") ? "29500" : "31000"))
                .build();

        JobHandle job = submit(spec, "gang");
        JobStatus end = until(job, JobState.ENDED);

        String port = minor.equals("28") ? "29500" : "31000";
        assertThat(end.ending()).hasValue(Ending.COMPLETED);
        assertThat(out(job))
                .isEqualTo("[0] 0 of 2/2 x 8/8 at tao-gang-0.tao-gang:" + port + " by ib0\n"
                        + "[1] 1 of 2/2 x 8/8 at tao-gang-0.tao-gang:" + port + " by ib0\n");
        assertThat(end.nodes()).containsExactlyInAnyOrder("gpu-1", "gpu-2");
    }

    @ParameterizedTest
    @ValueSource(strings = {"28", "36"})
    @Promise({"NV-01", "NS-24", "NV-28"})
    void theNodesOfAGangTellTheirGpusAndTheImageThatThePodRuns(String minor) throws Exception {
        reopen(minor);
        new PlayedGpus(temporary).with(PlayedGpus.TWO);
        JobHandle job =
                submit(Sample.job("sleep 600").resources(Sample.resources(2, 2)).build(), "told");
        StreamRef ref = new StreamRef(job, Stream.MACHINE);

        List<String> lines = await().until(
                        () -> {
                            look(job);
                            Tail tail =
                                    backend.read(Map.of(ref, Position.START)).get(ref);
                            return tail == null
                                    ? List.<String>of()
                                    : new String(tail.bytes(), UTF_8).lines().toList();
                        },
                        told -> told.stream()
                                        .filter(line -> line.contains("cuda"))
                                        .count()
                                == 2);

        assertThat(new MachineReader().take(lines).facts())
                .containsOnly(
                        Map.entry("gpuType", "NVIDIA H100 80GB HBM3"),
                        Map.entry("driver", "535.104.05"),
                        Map.entry("cuda", "12.2"),
                        Map.entry("imageDigest", SimulatedKubelet.DIGEST));
        assertThat(lines).anyMatch(line -> line.startsWith("[1] node "));
        assertThat(out(job)).isEmpty();
    }

    @Test
    @Promise("KU-39")
    void theFirstNodesNameResolvesBeforeAllAreReady() throws Exception {
        JobSpec threeOnTwoNodes = Sample.job("getent hosts $MASTER_ADDR; sleep 600")
                .resources(Sample.resources(3, 8))
                .build();

        JobHandle job = submit(threeOnTwoNodes, "dns");
        await().until(() -> out(job).lines().count() == 2);

        assertThat(out(job).lines()).allMatch(line -> line.matches("\\[[0-2]] 127\\.0\\.0\\.1 tao-dns-0\\.tao-dns .*"));
        assertThat(look(job).state()).isNotEqualTo(JobState.ENDED);
        assertThat(cluster.admin().pods().inNamespace("tao-jobs").list().getItems())
                .filteredOn(pod -> pod.getSpec().getNodeName() == null)
                .hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"28", "36"})
    @Promise("TR-06")
    void aFailingNodeEndsTheGangWithItsOwnExitCode(String minor) throws Exception {
        reopen(minor);

        JobHandle job = submit(gang("if [ $NODE_RANK = 1 ]; then echo one; echo two; exit 3; fi; sleep 600"), "half");

        JobStatus end = until(job, JobState.ENDED);
        assertThat(end.exitCode()).hasValue(3);
        assertThat(end.ending()).hasValue(Ending.FAILED);
        assertThat(end.firstFailure().orElseThrow().rank()).isEqualTo(1);
        assertThat(end.firstFailure().orElseThrow().node()).startsWith("gpu-");
        assertThat(end.firstFailure().orElseThrow().lastLines()).containsExactly("one", "two");
    }

    @Test
    @Promise({"KU-32", "KU-33"})
    void cancellingIsConfirmedWhenThePodsServiceAndSecretAreGone() throws Exception {
        JobSpec spec = Sample.job("sleep 600")
                .resources(Sample.resources(2, 8))
                .secrets(Map.of("TOKEN", Secret.of("x")))
                .build();
        JobHandle job = submit(spec, "cancel");
        until(job, JobState.RUNNING);

        backend.cancel(job);
        JobStatus end = until(job, JobState.ENDED);
        backend.cancel(job);

        assertThat(end.ending()).hasValue(Ending.CANCELLED);
        assertThat(cluster.admin().pods().inNamespace("tao-jobs").list().getItems())
                .isEmpty();
        assertThat(cluster.admin().secrets().inNamespace("tao-jobs").list().getItems())
                .isEmpty();
        assertThat(cluster.admin().services().inNamespace("tao-jobs").list().getItems())
                .isEmpty();
        assertThat(cluster.server().requests())
                .filteredOn(request -> request.startsWith("DELETE"))
                .hasSize(1);
    }

    @Test
    void aRoundCostsTheSameForOneJobAndForMany() throws Exception {
        Set<JobHandle> jobs = new HashSet<>();
        for (int i = 0; i < 12; i++) {
            jobs.add(submit(Sample.job("true").resources(Sample.resources(1, 0)).build(), "many-" + i));
        }
        await().until(() -> backend.poll(jobs).values().stream().allMatch(each -> each.state() == JobState.ENDED));
        cluster.server().requests();

        backend.poll(Set.of(jobs.iterator().next()));
        int one = cluster.server().requests().size();
        backend.poll(jobs);

        assertThat(one).isEqualTo(2);
        assertThat(cluster.server().requests()).hasSize(one);
    }

    @Test
    @Promise("TR-45")
    void aRoundIsTwoListsAndTheLogsThatThereAre() throws Exception {
        Map<StreamRef, Position> from = new HashMap<>();
        Set<JobHandle> jobs = new HashSet<>();
        for (int i = 0; i < 12; i++) {
            JobHandle job = submit(
                    Sample.job("echo " + i).resources(Sample.resources(1, 0)).build(), "logs-" + i);
            jobs.add(job);
            from.put(new StreamRef(job, Stream.OUT), Position.START);
            from.put(new StreamRef(job, Stream.STATUS), Position.START);
        }
        await().until(() -> backend.poll(jobs).values().stream().allMatch(each -> each.state() == JobState.ENDED));
        cluster.server().deny("watch /pods");
        cluster.server().requests();

        backend.poll(jobs);
        Map<StreamRef, Tail> tails = backend.read(from);

        List<String> requests = cluster.server().requests();
        assertThat(tails).hasSizeGreaterThanOrEqualTo(12);
        assertThat(requests).filteredOn(request -> request.contains("/log?")).hasSize(12);
        assertThat(requests).hasSize(2 + 12).noneMatch(request -> request.contains("watch"));
    }

    @Test
    @Promise("TR-45")
    void aListThatComesInPartsIsReadToItsEnd() throws Exception {
        Set<JobHandle> jobs = new HashSet<>();
        for (int i = 0; i < 7; i++) {
            jobs.add(submit(Sample.job("true").resources(Sample.resources(1, 0)).build(), "part-" + i));
        }
        cluster.server().chunk(3);

        await().until(() -> backend.poll(jobs).values().stream()
                        .filter(each -> each.state() == JobState.ENDED)
                        .count()
                == 7);
    }

    @Test
    @Promise("TR-46")
    void watchingOneJobAsksForThatOne() throws Exception {
        JobHandle one = submit(Sample.job("sleep 600").build(), "one");
        submit(Sample.job("sleep 600").build(), "other");
        until(one, JobState.RUNNING);
        cluster.server().requests();

        look(one);
        out(one);

        assertThat(cluster.server().requests())
                .isNotEmpty()
                .allMatch(request -> request.contains("tao-one"))
                .hasSize(3);
    }

    @Test
    @Promise("KG-05")
    void aLogGoesOnBehindItsLastLineWhateverBroke() throws Exception {
        JobHandle job = submit(
                Sample.job("i=0; while [ $i -lt 40 ]; do echo line $i; i=$((i + 1)); sleep 0.05; done;" + " until [ -e "
                                + temporary + "/go ]; do sleep 0.05; done; echo line 40")
                        .build(),
                "log");
        StreamRef ref = new StreamRef(job, Stream.OUT);
        StringBuilder all = new StringBuilder();
        Position[] at = {Position.START};
        int[] reads = {0};

        // a log that breaks when its job has just ended is asked for again
        await().ignoreExceptionsInstanceOf(BackendException.Unreachable.class).until(() -> {
            if (reads[0]++ % 3 == 1) {
                cluster.server().faultOnce("GET", "/log", reads[0] % 2 == 0 ? 500 : 400);
            }
            if (reads[0] == 8) {
                Files.createFile(temporary.resolve("go"));
            }
            JobStatus status = look(job);
            Tail tail = backend.read(Map.of(ref, at[0])).get(ref);
            if (tail != null) {
                all.append(new String(tail.bytes(), UTF_8));
                at[0] = tail.next();
            }
            return status.state() == JobState.ENDED && all.toString().endsWith("line 40\n");
        });

        StringBuilder expected = new StringBuilder();
        for (int i = 0; i < 41; i++) {
            expected.append("line ").append(i).append('\n');
        }
        assertThat(all).hasToString(expected.toString());
    }

    @Test
    @Promise("KU-29")
    void theLastLinesOfAllPodsComeOnRequest() throws Exception {
        JobHandle job = submit(gang("seq 1 5000 | sed \"s/^/$NODE_RANK:/\""), "tail");
        until(job, JobState.ENDED);
        StreamRef ref = new StreamRef(job, Stream.OUT);
        Position end = Objects.requireNonNull(
                        backend.read(Map.of(ref, Position.START)).get(ref))
                .next();

        Tail tail =
                Objects.requireNonNull(backend.read(Map.of(ref, new Position(end.file(), end.byteOffset() - 30_000)))
                        .get(ref));

        assertThat(new String(tail.bytes(), UTF_8)).contains("[0] 0:5000\n").endsWith("[1] 1:5000\n");
    }

    @Test
    @Promise("KU-26")
    void aFailingPodIsToldAndNotStartedAgain() throws Exception {
        JobHandle job =
                submit(Sample.job("echo once >>{results_dir}/runs; exit 2").build(), "once");

        assertThat(until(job, JobState.ENDED).exitCode()).hasValue(2);
        assertThat(cluster.admin().pods().inNamespace("tao-jobs").list().getItems())
                .hasSize(1);
        assertThat(Path.of(job.resultsDirectory()).resolve("runs")).hasContent("once");
    }

    @Test
    @Promise("KU-01")
    void aJobRunsOnTheClusterThatAKubeconfigNames() throws Exception {
        String kubeconfig =
                "current-context: c\ncontexts: [{name: c, context: {cluster: k, user: u, namespace: team}}]\n"
                        + "clusters: [{name: k, cluster: {server: '"
                        + cluster.server().address() + "'}}]\n"
                        + "users: [{name: u, user: {token: " + SimulatedServer.TOKEN + "}}]\n";
        KubernetesTarget target = Records.of(
                KubernetesTarget.class,
                "name",
                "k8s",
                "kubeconfig",
                new Kubeconfig(Secret.of(kubeconfig), "a test"),
                "volumes",
                List.of("data:" + temporary + "/pvc"),
                "resultsRoot",
                temporary + "/pvc/results");

        try (Backend other = new KubernetesType().open(target)) {
            JobHandle job = other.submit(Sample.job("true").build(), new JobKey("config"));

            assertThat(job.nativeId()).isEqualTo("team/tao-config");
            await().until(() -> other.poll(Set.of(job)).values().stream()
                    .anyMatch(each -> each.exitCode().orElse(-1) == 0));
        }
    }
}
