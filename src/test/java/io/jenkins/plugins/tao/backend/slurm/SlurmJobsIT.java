package io.jenkins.plugins.tao.backend.slurm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.jenkins.plugins.tao.NeedsRig;
import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.Records;
import io.jenkins.plugins.tao.backend.ArtifactPlan;
import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.backend.Position;
import io.jenkins.plugins.tao.backend.Report.Verdict;
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
import io.jenkins.plugins.tao.remote.LossyHost;
import io.jenkins.plugins.tao.remote.host.Host;
import io.jenkins.plugins.tao.remote.ssh.SshHost;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Jobs on the real cluster of the rig. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@NeedsRig(value = "slurm", shared = true)
final class SlurmJobsIT {
    private static final String RUN = UUID.randomUUID().toString().substring(0, 8);
    private static final String DIRECTORY = "it-" + RUN;

    private final SlurmTarget target = SlurmRig.target(DIRECTORY).build();
    private final Host host = new SshHost(target.login(), "rig");
    private final SlurmBackend backend = new SlurmBackend(target, host);

    @BeforeAll
    static void rig() {
        SlurmRig.assumeUp();
    }

    @AfterAll
    void close() {
        backend.close();
    }

    private static JobKey key(String name) {
        return new JobKey(name + "-" + RUN);
    }

    private static JobSpec.Builder job(String command) {
        return JobSpec.of(command).resources(machines(1, 1));
    }

    private static Resources machines(int nodes, int gpus) {
        return new Resources(nodes, OptionalInt.of(gpus), OptionalInt.of(1), Optional.of(Duration.ofMinutes(10)));
    }

    private JobStatus untilEnded(JobHandle job) {
        return await().pollInterval(Duration.ofMillis(300))
                .until(
                        () -> backend.poll(Set.of(job)).get(job),
                        status -> status != null && status.state() == JobState.ENDED);
    }

    private String read(JobHandle job, Stream stream) throws BackendException {
        StreamRef ref = new StreamRef(job, stream);
        Tail tail = backend.read(Map.of(ref, Position.START)).get(ref);
        return tail == null ? "" : new String(tail.bytes(), StandardCharsets.UTF_8);
    }

    @Test
    @Promise({"SL-01", "SL-26", "SL-34", "SL-35", "SL-40", "SL-57", "SL-62", "SL-87"})
    void aJobRunsAndLeavesLogsStatusAndExitCode() throws Exception {
        JobHandle job = backend.submit(
                job("echo out of $TAO_JOB_ID; echo err >&2; mkdir -p {results_dir}/train;"
                                + " echo '{\"status\": \"SUCCESS\"}' > {results_dir}/train/status.json; echo $TAO_API_RESULTS_DIR")
                        .build(),
                key("plain"));

        JobStatus status = untilEnded(job);

        assertThat(status.ending()).contains(Ending.COMPLETED);
        assertThat(status.exitCode()).hasValue(0);
        assertThat(status.runs()).isEqualTo(1);
        assertThat(status.startedAt()).isPresent();
        assertThat(status.endedAt()).isPresent();
        assertThat(status.nodes()).hasSize(1);
        assertThat(read(job, Stream.OUT))
                .isEqualTo("out of " + key("plain") + "\n/lustre/tao/" + DIRECTORY + "/results\n");
        assertThat(read(job, Stream.ERR)).endsWith("err\n");
        assertThat(read(job, Stream.STATUS)).contains("SUCCESS");
        assertThat(job.resultsDirectory()).isEqualTo("/lustre/tao/" + DIRECTORY + "/results/" + key("plain"));
        assertThat(SlurmRig.shell(
                        host,
                        "cat /lustre/tao/" + DIRECTORY + "/slurm-logs/tao-job-" + key("plain") + "-" + job.nativeId()
                                + "/main.out"))
                .startsWith("out of");
    }

    @Test
    @Promise({"SL-51", "SL-53"})
    void twoNodesHaveTheirOwnRanksAndOneMaster() throws Exception {
        JobHandle job = backend.submit(
                JobSpec.of(
                                "echo \"$NODE_RANK of $WORLD_SIZE x $NUM_GPU_PER_NODE at $MASTER_ADDR:$MASTER_PORT on $(hostname)\"")
                        .resources(machines(2, 2))
                        .build(),
                key("ranks"));

        assertThat(untilEnded(job).ending()).contains(Ending.COMPLETED);

        List<String> lines = read(job, Stream.OUT).lines().sorted().toList();
        assertThat(lines).hasSize(2);
        String master = lines.get(0).replaceFirst(".* on ", "");
        String port = lines.get(0).replaceFirst(".*:(\\d+) on .*", "$1");
        assertThat(lines.get(0)).isEqualTo("[0] 0 of 2 x 2 at " + master + ":" + port + " on " + master);
        assertThat(lines.get(1))
                .startsWith("[1] 1 of 2 x 2 at " + master + ":" + port + " on ")
                .doesNotEndWith(" on " + master);
    }

    @Test
    @Promise({"SL-42", "SL-43"})
    void aContainerGetsItsImageMountsAndVariables() throws Exception {
        JobHandle job = backend.submit(
                job("env | grep ^FAKE_PYXIS | sort")
                        .image("nvcr.io/nvidia/tao:1")
                        .build(),
                key("box"));

        assertThat(untilEnded(job).exitCode()).hasValue(0);

        assertThat(read(job, Stream.OUT))
                .contains("FAKE_PYXIS_IMAGE=nvcr.io#nvidia/tao:1\n")
                .contains("FAKE_PYXIS_MOUNTS=/lustre\n")
                .contains("TAO_JOB_ID");
    }

    @Test
    void aFailureKeepsItsExitCodeWhateverAccountingPrints() throws Exception {
        JobHandle job = backend.submit(job("echo broken >&2; exit 137").build(), key("fails"));

        JobStatus status = untilEnded(job);

        assertThat(status.ending()).contains(Ending.FAILED);
        assertThat(status.exitCode()).hasValue(137);
        assertThat(backend.diagnose(job).facts())
                .anySatisfy(fact -> assertThat(fact).contains("broken"));
    }

    @Test
    @Promise({"SL-64", "SL-65"})
    void aCancelledJobEndsAndCancellingAgainIsFine() throws Exception {
        JobHandle job = backend.submit(job("sleep 300").build(), key("cancelled"));
        backend.poll(Set.of(job));

        backend.cancel(job);

        assertThat(untilEnded(job).ending()).contains(Ending.CANCELLED);
        backend.cancel(job);
        backend.cancel(new JobHandle(
                "rig", "slurm", key("never"), 1, "99999999", job.jobDirectory(), "/x", job.submittedAt()));
    }

    @Test
    void anIdThatBelongsToAnotherJobIsNotCancelled() throws Exception {
        JobHandle job = backend.submit(job("sleep 300").build(), key("guarded"));

        backend.cancel(new JobHandle(
                "rig", "slurm", key("stranger"), 1, job.nativeId(), job.jobDirectory(), "/x", job.submittedAt()));

        assertThat(SlurmRig.shell(host, "squeue -h -j " + job.nativeId() + " -o %T"))
                .matches("PENDING|RUNNING");
        backend.cancel(job);
    }

    @Test
    void secretsReachTheCommandAndLieNowhereElse() throws Exception {
        String value = "hush-" + UUID.randomUUID();
        JobHandle job = backend.submit(
                job("[ -n \"$SECRET_X\" ] && echo ${#SECRET_X} && sleep 1")
                        .secrets(Map.of("SECRET_X", Secret.of(value)))
                        .build(),
                key("secret"));
        String shown = SlurmRig.shell(
                host, "scontrol show job " + job.nativeId() + "; squeue -h -o '%all' -j " + job.nativeId());

        assertThat(untilEnded(job).exitCode()).hasValue(0);

        assertThat(read(job, Stream.OUT)).isEqualTo(value.length() + "\n");
        assertThat(shown).doesNotContain(value);
        assertThat(SlurmRig.shell(host, "grep -rl " + value + " /lustre/tao/" + DIRECTORY))
                .isEmpty();
    }

    @Test
    void secretsThatAKilledFrameLeftAreTidiedUpWhenTheEndIsSeen() throws Exception {
        JobHandle job = backend.submit(job("true").build(), key("killed"));
        untilEnded(job);
        String left = target.layout().secrets(job.key(), 1);
        SlurmRig.shell(host, "echo hush > " + left);

        backend.poll(Set.of(job));

        assertThat(SlurmRig.shell(host, "ls " + left)).contains("No such file");
    }

    @Test
    @Promise("SL-26")
    void aSubmissionWhoseAnswerIsLostIsTakenOverAndNotRepeated() throws Exception {
        LossyHost lossy = new LossyHost(host);
        SlurmBackend unlucky = new SlurmBackend(target, lossy);
        JobSpec spec = job("sleep 20").build();
        lossy.loseNextReply();

        assertThatThrownBy(() -> unlucky.submit(spec, key("lost"))).isInstanceOf(BackendException.Unreachable.class);
        JobHandle job = unlucky.submit(spec, key("lost"));

        assertThat(SlurmRig.shell(host, "squeue -h -t all --name=tao-job-" + key("lost") + " -o %i"))
                .isEqualTo(job.nativeId());
        backend.cancel(job);
    }

    @Test
    @Promise("SL-26")
    void aSubmissionThatDiedAfterSbatchIsTakenOver() throws Exception {
        JobSpec spec = job("sleep 20").build();
        JobHandle job = backend.submit(spec, key("died"));
        String mark = "/lustre/tao/" + DIRECTORY + "/submit/" + key("died") + ".1";
        SlurmRig.shell(host, "rm " + mark + ".id; date +%s > " + mark + ".sending");

        assertThat(backend.submit(spec, key("died")).nativeId()).isEqualTo(job.nativeId());

        backend.cancel(job);
    }

    @Test
    @Promise({"SL-70", "SL-77"})
    void anotherAttemptRunsTheSameScriptUnderANewIdOnOtherNodes() throws Exception {
        JobHandle first = backend.submit(
                job("hostname; exit 3")
                        .options(Records.of(SlurmOptions.class, "partition", "polar"))
                        .build(),
                key("again"));
        untilEnded(first);

        JobHandle second = backend.resubmit(first, Map.of(), Set.of("gpu01", "not-a-node"));
        JobHandle same = backend.resubmit(first, Map.of(), Set.of("gpu01"));

        assertThat(same.nativeId()).isEqualTo(second.nativeId()).isNotEqualTo(first.nativeId());
        assertThat(second.attempt()).isEqualTo(2);
        assertThat(untilEnded(second).nodes()).containsExactly("gpu02");
    }

    @Test
    @Promise({"SL-48", "SL-32"})
    void preflightNamesWhatTheClusterWouldNotTakeAndWritesNothing() throws Exception {
        SlurmTarget untouched = SlurmRig.target("untouched-" + RUN).build();
        JobSpec spec = JobSpec.of("true")
                .inputs(List.of("/lustre/tao/nothing-here", "lustre:///lustre/tao"))
                .resources(new Resources(1, OptionalInt.of(1), OptionalInt.of(1), Optional.of(Duration.ofHours(9))))
                .options(Records.of(SlurmOptions.class, "partition", "polar"))
                .build();

        var report = new SlurmBackend(untouched, host).preflight(spec);

        assertThat(report.checks().stream()
                        .filter(check -> check.verdict() == Verdict.FAILED)
                        .map(check -> check.name()))
                .containsExactlyInAnyOrder("inputs", "wall time");
        assertThat(SlurmRig.shell(host, "ls -d " + untouched.baseDirectory())).contains("No such file");
        assertThat(new SlurmBackend(untouched, host)
                        .preflight(job("true").image("a/b:1").build())
                        .failed())
                .isFalse();
    }

    @Test
    void whatSlurmRefusesIsRejectedWithARemedy() {
        JobSpec spec = job("true")
                .options(Records.of(SlurmOptions.class, "partition", "nope"))
                .build();

        assertThatThrownBy(() -> backend.submit(spec, key("refused")))
                .isInstanceOfSatisfying(
                        BackendException.Rejected.class,
                        e -> assertThat(e.remedy()).contains("polar3"));
    }

    @Test
    void logsAndStatusComeHome() throws Exception {
        JobHandle job = backend.submit(
                job("echo out; mkdir -p {results_dir}/train; echo '{}' > {results_dir}/train/status.json; echo w > {results_dir}/m.pth")
                        .build(),
                key("fetched"));
        untilEnded(job);
        MapSink sink = new MapSink();

        backend.fetch(job, ArtifactPlan.of(List.of("*.pth")), sink);

        assertThat(sink.texts())
                .containsOnlyKeys("logs/main.out", "logs/main.err", "results/train/status.json", "results/m.pth")
                .containsEntry("logs/main.out", "out\n");
    }

    @Test
    void twoHundredJobsCostOneCommandALook() throws Exception {
        LossyHost counting = new LossyHost(host);
        SlurmBackend watched = new SlurmBackend(target, counting);
        String made = SlurmRig.shell(
                host, "for i in $(seq 200); do sbatch --parsable -H -J tao-job-many-$i -o /dev/null --wrap true; done");
        Set<JobHandle> jobs = new HashSet<>();
        List<String> ids = made.lines().toList();
        for (int i = 0; i < ids.size(); i++) {
            jobs.add(new JobHandle(
                    "rig",
                    "slurm",
                    new JobKey("many-" + (i + 1)),
                    1,
                    ids.get(i),
                    target.baseDirectory(),
                    "/x",
                    Instant.EPOCH));
        }

        Map<JobHandle, JobStatus> found = watched.poll(jobs);

        assertThat(found).hasSize(200);
        assertThat(found.values())
                .allSatisfy(status -> assertThat(status.state()).isEqualTo(JobState.PENDING));
        assertThat(counting.commands()).isEqualTo(1);
        SlurmRig.shell(host, "scancel " + String.join(" ", ids));
    }
}
