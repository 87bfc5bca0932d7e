package io.jenkins.plugins.tao.backend.slurm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.jenkins.plugins.tao.NeedsRig;
import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.Records;
import io.jenkins.plugins.tao.backend.Controller;
import io.jenkins.plugins.tao.backend.Position;
import io.jenkins.plugins.tao.backend.Stream;
import io.jenkins.plugins.tao.backend.StreamRef;
import io.jenkins.plugins.tao.backend.Tail;
import io.jenkins.plugins.tao.backend.slurm.options.SlurmOptions;
import io.jenkins.plugins.tao.backend.slurm.options.SlurmTarget;
import io.jenkins.plugins.tao.job.Ending;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.JobKey;
import io.jenkins.plugins.tao.job.JobSpec;
import io.jenkins.plugins.tao.job.JobState;
import io.jenkins.plugins.tao.job.JobStatus;
import io.jenkins.plugins.tao.job.Resources;
import io.jenkins.plugins.tao.job.Secret;
import io.jenkins.plugins.tao.remote.host.Host;
import io.jenkins.plugins.tao.remote.ssh.SshHost;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Conversions, roles, memory, clusters and tidying on the real cluster of the rig. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@NeedsRig(value = "slurm", shared = true)
final class SlurmDepthIT {
    private static final String RUN = UUID.randomUUID().toString().substring(0, 8);
    private static final Controller US = new Controller("depth-" + RUN, "the depth test", "");

    private final SlurmTarget target = SlurmRig.target("depth-" + RUN)
            .with("conversionPartition", "long")
            .with("cluster", "lab")
            .with("keepStaged", Duration.ofDays(30))
            .build();
    private final Host host = new SshHost(target.login(), "rig");
    private final SlurmBackend backend = new SlurmBackend(target, host);

    @BeforeAll
    static void rig() {
        SlurmRig.assumeUp();
    }

    @BeforeAll
    void act() {
        backend.actFor(US);
    }

    @AfterAll
    void close() throws Exception {
        SlurmRig.cancelAll(host, RUN);
        host.close();
    }

    private static JobKey key(String name) {
        return new JobKey(name + "-" + RUN);
    }

    private static Resources machines(int nodes, int gpus) {
        return new Resources(nodes, OptionalInt.of(gpus), OptionalInt.of(1), Optional.of(Duration.ofMinutes(10)));
    }

    private static JobSpec.Builder job(String command) {
        return JobSpec.of(command).resources(machines(1, 0));
    }

    private JobStatus untilEnded(JobHandle job) {
        return await().pollInterval(Duration.ofMillis(500))
                .until(
                        () -> backend.poll(Set.of(job)).get(job),
                        status -> status != null && status.state() == JobState.ENDED);
    }

    private String read(JobHandle job, Stream stream) throws Exception {
        StreamRef ref = new StreamRef(job, stream);
        Tail tail = backend.read(Map.of(ref, Position.START)).get(ref);
        return tail == null ? "" : new String(tail.bytes(), StandardCharsets.UTF_8);
    }

    private String shell(String script) throws Exception {
        return SlurmRig.shell(host, script);
    }

    private static void assumeEnroot() throws Exception {
        Path enroot = Path.of("/usr/local/bin/enroot");
        Assumptions.assumeTrue(
                Files.isExecutable(enroot) && Files.readString(enroot).contains("a stand-in for tests"),
                "no stand-in for enroot: run src/test/rigs/slurm/up anew");
    }

    @Test
    @Promise({"SL-39", "SL-44", "SL-10"})
    void twoJobsOfOneImageShareOneConversionThatHoldsNoGpuAndNoKey() throws Exception {
        assumeEnroot();
        String image = "nvcr.io/lab/tao-" + RUN + ":1";
        JobSpec spec = job("echo key ${#NGC_KEY}; env | grep ^FAKE_PYXIS_IMAGE; tr '\\0' '\\n' < /proc/$PPID/environ"
                        + " | grep -c ^NGC_KEY; true")
                .image(image)
                .secrets(Map.of("NGC_KEY", Secret.of("nvapi-hush")))
                .build();

        JobHandle first = backend.submit(spec, key("sqsh1"));
        JobHandle second = backend.submit(spec, key("sqsh2"));

        assertThat(untilEnded(first).exitCode()).hasValue(0);
        assertThat(untilEnded(second).exitCode()).hasValue(0);
        String file = target.baseDirectory() + "/sqsh/nvcr.io_lab_tao-" + RUN + "_1.sqsh";
        assertThat(read(first, Stream.OUT)).contains("key 10\n", "FAKE_PYXIS_IMAGE=" + file);
        assertThat(shell("tail -c +97 " + file))
                .contains("image=docker://nvcr.io#lab/tao-" + RUN + ":1")
                .contains("gpus=none", "keys=0");
        assertThat(shell("grep -l tao-" + RUN + ":1 " + target.baseDirectory() + "/slurm-logs/sqsh-* | wc -l"))
                .isEqualTo("1");
        assertThat(shell("cat " + target.layout().script(first.key())))
                .contains("unset NGC_KEY")
                .doesNotContain("nvapi-hush");
    }

    @Test
    @Promise("SL-10")
    void theStepThatPullsFindsNoKeyInItsEnvironmentButTheCommandDoes() throws Exception {
        JobSpec spec = job("echo key ${#NGC_KEY} of ${TAO_SECRETS:-nowhere}; ps -o pid= -C srun | while read -r p; do"
                        + " tr '\\0' '\\n' < /proc/$p/environ; done | grep ^NGC_KEY; true")
                .image("a/b:1")
                .options(Records.of(SlurmOptions.class, "useSqsh", false))
                .secrets(Map.of("NGC_KEY", Secret.of("nvapi-hush")))
                .build();

        JobHandle job = backend.submit(spec, key("pull"));

        assertThat(untilEnded(job).exitCode()).hasValue(0);
        assertThat(read(job, Stream.OUT)).isEqualTo("key 10 of nowhere\n");
    }

    @Test
    void aConversionThatFailsEndsTheJobWithoutGpusAndNamesItsLog() throws Exception {
        assumeEnroot();
        JobHandle job =
                backend.submit(job("true").image("nvcr.io/lab/missing:" + RUN).build(), key("missing"));

        JobStatus status = untilEnded(job);

        assertThat(status.ending()).contains(Ending.LAUNCH_FAILURE);
        assertThat(status.reason().orElse("")).contains("image conversion failed", "/slurm-logs/sqsh-");
        assertThat(status.runs()).isZero();
        assertThat(backend.diagnose(job).facts()).anyMatch(fact -> fact.contains("404 Not Found"));
    }

    @Test
    @Promise("SL-55")
    void theRolesOfCosmosRunOnTheirNodesAndTheFirstFailureEndsAll() throws Exception {
        String bin = target.baseDirectory() + "/bin";
        shell("mkdir -p " + bin
                + "; printf '%s\\n' '#!/bin/bash' 'echo role $COSMOS_NODE_ROLE of $COSMOS_CONTROLLER_HOST on"
                + " $(hostname) local $LOCAL_NODE_LIST; touch " + bin
                + "/$COSMOS_NODE_ROLE; [ $COSMOS_NODE_ROLE != rollout ] ||"
                + " { until [ -e " + bin + "/controller ] && [ -e " + bin + "/policy ]; do sleep 0.2; done; exit 9; };"
                + " sleep 280' > "
                + bin + "/cosmos-rl; chmod 755 " + bin + "/cosmos-rl");
        JobSpec spec = JobSpec.of("cosmos-rl --config {config_path}")
                .env(Map.of("PATH", bin + ":/usr/local/bin:/usr/bin:/bin"))
                .spec(Map.of(
                        "policy", Map.of("parallelism", Map.of("tp_size", 2, "n_init_replicas", 1)),
                        "rollout", Map.of("parallelism", Map.of("tp_size", 2, "n_init_replicas", 1))))
                .resources(machines(2, 2))
                .options(Records.of(SlurmOptions.class, "mem", "1000M", "partition", "grizzly"))
                .build();

        JobHandle job = backend.submit(spec, key("roles"));
        JobStatus status = untilEnded(job);

        assertThat(status.exitCode()).hasValue(9);
        String logs = shell("cd " + target.layout().logDirectory(job) + "; cat controller.out policy.out rollout.out");
        assertThat(logs).contains("role controller of", "role policy of", "role rollout of", ":8082 on gpu0");
        assertThat(read(job, Stream.ERR)).contains("role rollout ended with exit code 9");
    }

    @Test
    @Promise("SG-18")
    void memoryThatGrowsTowardItsLimitIsWarnedOfWhileTheJobRuns() throws Exception {
        JobHandle job = backend.submit(
                job("touch {results_dir}/up; while [ ! -e {results_dir}/go ]; do sleep 0.2; done;"
                                + " head -c 260m /dev/zero | tail -c 260m | sleep 60")
                        .options(Records.of(SlurmOptions.class, "mem", "300M"))
                        .build(),
                key("memory"));
        String stamp = target.baseDirectory() + "/leases/." + US.id();
        await().until(() -> shell("ls " + job.resultsDirectory()).contains("up"));
        // nothing has grown before Slurm has measured it once
        await().until(() -> shell("sstat -a -n -P --noconvert -j " + job.nativeId() + " -o MaxRSS")
                .matches("[\\d.\\s|]*[1-9][\\d.\\s|]*"));
        shell("touch -d '6 minutes ago' " + stamp);
        assertThat(Objects.requireNonNull(backend.poll(Set.of(job)).get(job)).notices())
                .isEmpty();

        shell("touch " + job.resultsDirectory() + "/go");
        JobStatus status = await().pollInterval(Duration.ofSeconds(2))
                .until(
                        () -> {
                            shell("touch -d '6 minutes ago' " + stamp);
                            return backend.poll(Set.of(job)).get(job);
                        },
                        seen -> !seen.notices().isEmpty());

        assertThat(status.state()).isEqualTo(JobState.RUNNING);
        assertThat(status.notices().get(0))
                .contains("of the 300 MiB", "more than at the last look", "OUT_OF_MEMORY", "mem: '");
        backend.cancel(job);
    }

    @Test
    @Promise("SL-25")
    void everyCommandGoesToTheNamedClusterAndTheJobDoesNotInheritTheChoice() throws Exception {
        JobHandle job = backend.submit(
                job("env | grep -c _CLUSTERS; squeue -h -j $SLURM_JOB_ID -o %T").build(), key("east"));

        assertThat(untilEnded(job).exitCode()).hasValue(0);
        assertThat(read(job, Stream.OUT)).isEqualTo("0\nRUNNING\n");
        assertThat(backend.preflight(job("true").build()).failed()).isFalse();
        SlurmTarget nowhere =
                SlurmRig.target("nowhere-" + RUN).with("cluster", "nowhere").build();
        assertThat(new SlurmBackend(nowhere, host)
                        .preflight(job("true").build())
                        .checks())
                .anyMatch(check -> (check.detail() + check.remedy()).contains("nowhere"));
    }

    @Test
    void tidyingTakesWhatIsOldAndOursAndNothingElse() throws Exception {
        JobHandle old = ended(key("old"), "echo kept > {results_dir}/model");
        JobHandle dotted = ended(new JobKey(key("old") + ".1"), "true");
        JobHandle dashed = ended(new JobKey(key("old") + "-0"), "true");
        JobHandle talked = ended(key("talk"), "true");
        JobHandle running =
                backend.submit(job("touch {results_dir}/up; sleep 200").build(), key("busy"));
        await().until(() -> shell("ls " + running.resultsDirectory()).contains("up"));
        shell("cd " + target.baseDirectory() + "; touch -d '40 days ago' */*" + RUN
                + "* leases/*/* slurm-logs/*/*; touch "
                + target.layout().script(dotted.key()) + " " + target.layout().script(dashed.key()) + " "
                + target.layout().log(talked, "out") + "; touch -d '40 days ago' sbatch/job_foreign.sbatch");
        String before = leftOf(dotted) + leftOf(dashed) + leftOf(talked) + leftOf(running);

        assertThat(backend.tidy(true).jobs()).containsOnlyOnce(old.key().value());
        assertThat(shell("ls " + target.layout().script(old.key()))).startsWith("/lustre");
        assertThat(backend.tidy(false).jobs())
                .contains(old.key().value())
                .doesNotContain(
                        dotted.key().value(),
                        dashed.key().value(),
                        talked.key().value(),
                        running.key().value());

        assertThat(shell("cd " + target.baseDirectory() + "; ls -d */*" + key("old") + "* | grep -v '" + key("old")
                        + "[.-][01]'"))
                .isEqualTo("results/" + old.key());
        assertThat(shell("ls " + target.baseDirectory() + "/submit/" + old.key() + ".1.id"))
                .contains("No such file");
        assertThat(shell("cat " + old.resultsDirectory() + "/model")).isEqualTo("kept");
        assertThat(leftOf(dotted) + leftOf(dashed) + leftOf(talked) + leftOf(running))
                .isEqualTo(before);
        assertThat(shell("ls " + target.baseDirectory() + "/sbatch")).contains("job_foreign.sbatch");
        assertThat(backend.tidy(false).jobs()).isEmpty();
        backend.cancel(running);
    }

    private JobHandle ended(JobKey key, String command) throws Exception {
        JobHandle job = backend.submit(job(command).build(), key);
        untilEnded(job);
        return job;
    }

    /** What is noted of the first attempt of {@code old} begins like a key of another. */
    private String leftOf(JobHandle job) throws Exception {
        return shell("cd " + target.baseDirectory() + "; ls -d */*" + job.key() + "* | grep -v 'submit/" + key("old")
                + "[.]1[.][a-z]'");
    }

    @Test
    void aJobThatAnotherControllerHasJustWatchedStays() throws Exception {
        JobHandle job = backend.submit(job("true").build(), key("held"));
        untilEnded(job);
        SlurmBackend other = new SlurmBackend(target, host);
        other.actFor(new Controller("other-" + RUN, "another", ""));
        String lease = target.layout().lease(job.key());
        shell("cd " + target.baseDirectory() + "; touch -d '40 days ago' */*" + key("held") + "* slurm-logs/*/*; touch "
                + lease + "/*");

        assertThat(other.tidy(false).jobs()).doesNotContain(job.key().value());

        shell("touch -d '40 days ago' " + lease + "/* " + lease);
        assertThat(other.tidy(false).jobs()).contains(job.key().value());
    }

    @Test
    @Promise({"SL-30", "SL-31", "SL-32"})
    void dataSetsAreLookedForByRootAndByKey() throws Exception {
        String data = target.baseDirectory() + "/data";
        shell("mkdir -p " + data + "/train " + data + "/val/images; touch " + data + "/train/images.tar.gz " + data
                + "/val/annotations.json " + data + "/clips.tar.gz");
        JobSpec byRoot = job("dino train -e {config_path}")
                .options(Records.of(
                        SlurmOptions.class, "datasets", List.of("train=" + data + "/train", "eval=" + data + "/val")))
                .build();
        JobSpec byKey = job("cosmos-rl train")
                .spec(Map.of(
                        "custom",
                        Map.of(
                                "train_dataset",
                                Map.of("media_path", data + "/clips.tar.gz", "annotation_path", data + "/none.json"))))
                .inputs(List.of("custom.train_dataset.media_path", "custom.train_dataset.annotation_path"))
                .build();

        assertThat(problems(byRoot))
                .contains(
                        data + "/train/images (only " + data + "/train/images.tar.gz)",
                        data + "/train/annotations.json")
                .doesNotContain(data + "/val/");
        assertThat(problems(byKey)).contains(data + "/none.json").doesNotContain("clips");
    }

    private String problems(JobSpec spec) throws Exception {
        return backend.preflight(spec).checks().stream()
                .filter(check -> check.name().equals("inputs"))
                .map(check -> check.detail())
                .findFirst()
                .orElse("");
    }
}
