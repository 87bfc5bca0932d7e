package io.jenkins.plugins.tao.backend.slurm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.jenkins.plugins.tao.NeedsRig;
import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.Records;
import io.jenkins.plugins.tao.backend.ArtifactPlan;
import io.jenkins.plugins.tao.backend.BackendException.Unreachable;
import io.jenkins.plugins.tao.backend.Diagnosis;
import io.jenkins.plugins.tao.backend.Report;
import io.jenkins.plugins.tao.backend.Stream;
import io.jenkins.plugins.tao.backend.slurm.options.SlurmOptions;
import io.jenkins.plugins.tao.backend.slurm.options.SlurmTarget;
import io.jenkins.plugins.tao.job.Ending;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.JobKey;
import io.jenkins.plugins.tao.job.JobSpec;
import io.jenkins.plugins.tao.job.JobState;
import io.jenkins.plugins.tao.job.JobStatus;
import io.jenkins.plugins.tao.job.Outcome;
import io.jenkins.plugins.tao.job.Outcome.Cause;
import io.jenkins.plugins.tao.job.Outcome.Failed;
import io.jenkins.plugins.tao.job.Outcome.Succeeded;
import io.jenkins.plugins.tao.job.Resources;
import io.jenkins.plugins.tao.job.Secret;
import io.jenkins.plugins.tao.monitor.JobEvent;
import io.jenkins.plugins.tao.monitor.JobResult;
import io.jenkins.plugins.tao.remote.LossyHost;
import io.jenkins.plugins.tao.remote.host.Host;
import io.jenkins.plugins.tao.remote.ssh.SshHost;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Arrays on a real Slurm: several members, one job. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@NeedsRig(value = "slurm", shared = true)
final class SlurmArrayIT {
    private static final String RUN = UUID.randomUUID().toString().substring(0, 8);

    private final SlurmTarget target = SlurmRig.target("arrays-" + RUN).build();
    private final Host host = new SshHost(target.login(), "rig");
    private final LossyHost lossy = new LossyHost(new SshHost(target.login(), "rig"));
    private final SlurmBackend backend = new SlurmBackend(target, lossy);
    private final RigWatch watch = new RigWatch(target);

    @BeforeAll
    static void rig() {
        SlurmRig.assumeUp();
    }

    @AfterAll
    void close() throws Exception {
        SlurmRig.cancelAll(host, RUN);
        watch.close();
        backend.close();
        host.close();
    }

    private static JobSpec.Builder array(String members, String command) {
        return array(Records.draft(SlurmOptions.class).with("array", members), command);
    }

    private static JobSpec.Builder array(Records.Draft<SlurmOptions> options, String command) {
        return JobSpec.of(command)
                .resources(new Resources(1, OptionalInt.of(0), OptionalInt.of(1), Optional.of(Duration.ofMinutes(5))))
                .options(options.with("mem", "50M").build());
    }

    private JobHandle start(String name, JobSpec.Builder spec) throws Exception {
        return watch.start(name + "-" + RUN, spec.build());
    }

    private String shell(String script) throws Exception {
        return SlurmRig.shell(host, script);
    }

    private List<String> notices(JobHandle job) {
        return watch.told(job, JobEvent.Notice.class).stream()
                .map(JobEvent.Notice::text)
                .toList();
    }

    private JobStatus until(JobHandle job, JobState state) {
        return await().pollInterval(Duration.ofMillis(300))
                .until(() -> backend.poll(Set.of(job)).get(job), status -> status != null && status.state() == state);
    }

    /** Shell text that waits for {@link #go}. */
    private String untilGo(String name) {
        return "while [ ! -e " + target.baseDirectory() + "/go-" + name + " ]; do sleep 0.2; done";
    }

    private void go(String name) throws Exception {
        shell("touch " + target.baseDirectory() + "/go-" + name);
    }

    @Test
    @Promise("SG-07")
    void membersRunUnderTheirLimitWithResultsLogsAndSpecsOfTheirOwn() throws Exception {
        JobHandle job = start(
                "good",
                array(
                                "0-3%2",
                                "echo member $SLURM_ARRAY_TASK_ID of '{array_task}'; grep -c results_dir"
                                        + " {config_path}; cp {config_path} {results_dir}/spec.json; echo"
                                        + " $TAO_API_RESULTS_DIR; [ $SLURM_ARRAY_TASK_ID -lt 2 ] || " + untilGo("good"))
                        .spec(Map.of("train", Map.of("seed", "{array_task}"))));

        assertThat(job.nativeId()).matches("\\d+_\\[0-3]");
        await().until(() -> notices(job), told -> told.contains("2 of 4 members have ended"));
        go("good");
        assertThat(watch.end(job).outcome()).isEqualTo(new Succeeded());
        assertThat(watch.end(job).exitCode()).hasValue(0);
        String results = job.resultsDirectory();
        assertThat(watch.lines(job, Stream.OUT))
                .containsExactlyElementsOf(IntStream.range(0, 4)
                        .boxed()
                        .flatMap(n -> java.util.stream.Stream.of(
                                "==== member " + n + " ====", "member " + n + " of " + n, "1", results + "/" + n))
                        .toList());
        assertThat(shell("cat " + results + "/2/spec.json"))
                .contains("results_dir: \"" + results + "/2\"")
                .contains("seed: \"2\"");
        MapSink sink = new MapSink();
        backend.fetch(job, ArtifactPlan.of(List.of("*.json")), sink);
        assertThat(sink.texts().keySet())
                .contains("logs/0/main.out", "logs/3/main.err", "results/0/spec.json", "results/3/spec.json");
    }

    @Test
    void aMemberThatFailsFailsTheWholeByNameAndNothingIsTriedAgain() throws Exception {
        JobHandle job = start(
                "bad",
                array(
                        "0-5%2",
                        "[ $SLURM_ARRAY_TASK_ID != 2 ] || { echo no such thing >&2; exit 3; };"
                                + " [ $SLURM_ARRAY_TASK_ID != 5 ] || " + untilGo("bad")));
        await().until(
                        () -> notices(job),
                        told -> told.contains("member 2 (exit code 3) of the array has failed; the others continue"));
        go("bad");

        JobResult result = watch.end(job);

        Failed failed = (Failed) result.outcome();
        assertThat(failed.cause()).isEqualTo(Cause.PROGRAM);
        assertThat(failed.detail()).contains("exit code 3").contains("1 of 6 members failed: 2 (exit code 3).");
        assertThat(result.exitCode()).hasValue(3);
        assertThat(result.attempts()).isEmpty();
        assertThat(watch.lines(job, Stream.ERR)).contains("==== member 2 ====", "no such thing");
        Diagnosis diagnosis = backend.diagnose(job);
        assertThat(diagnosis.facts())
                .anySatisfy(fact -> assertThat(fact).contains("ArrayTaskId=2 "))
                .contains("main.err: no such thing")
                .noneSatisfy(fact -> assertThat(fact).contains("_3: "));
    }

    @Test
    void aCancelEndsTheRunningAndTheWaiting() throws Exception {
        JobHandle job = start("cancel", array("0-5%2", "sleep 120"));
        watch.change(job, change -> change.now().state() == JobState.RUNNING);

        watch.cancel(job);

        assertThat(watch.end(job).outcome()).isEqualTo(new Outcome.Cancelled("the test"));
        assertThat(shell("squeue -h -r -u tao --name=tao-job-" + job.key() + " -o %i"))
                .isEmpty();
    }

    @Test
    void anArrayWhoseAnswerWasLostIsFoundByItsNameAndIsOneJob() throws Exception {
        JobSpec spec = array("0-3%2", "sleep 60").build();
        JobKey key = new JobKey("lost-" + RUN);
        lossy.loseNextReply();
        assertThatThrownBy(() -> backend.submit(spec, key)).isInstanceOf(Unreachable.class);
        String note = shell("cd " + target.baseDirectory() + "/submit; cat " + key + ".1.id");
        until(
                new JobHandle(
                        "rig",
                        "slurm",
                        key,
                        1,
                        note.split(" ", 2)[0] + "_[0-3]",
                        target.baseDirectory(),
                        "/x",
                        Instant.EPOCH),
                JobState.RUNNING);
        shell("cd " + target.baseDirectory() + "/submit; echo \"$(date +%s) 0-3%2\" > " + key + ".1.sending; rm " + key
                + ".1.id");

        JobHandle job = backend.submit(spec, key);

        assertThat(job.nativeId()).isEqualTo(note.split(" ", 2)[0] + "_[0-3]");
        assertThat(shell("squeue -h -t all --name=tao-job-" + key + " -o %F | sort -u"))
                .isEqualTo(note.split(" ", 2)[0]);
        backend.cancel(job);
    }

    @Test
    void aRequeuedMemberRunsAgainWithTheSecretsAllShareAndTheLastOneRemovesThem() throws Exception {
        JobHandle job = start(
                "again",
                array(
                                "0-2",
                                "echo $WORD ${SLURM_RESTART_COUNT:-0}; [ $SLURM_ARRAY_TASK_ID != 0 ]"
                                        + " || [ -n \"$SLURM_RESTART_COUNT\" ] || sleep 120")
                        .secrets(Map.of("WORD", Secret.of("hush"))));
        String member = job.nativeId().replaceAll("_.*", "_0");
        await().until(() -> notices(job), told -> told.contains("2 of 3 members have ended"));
        String secrets = target.layout().secrets(job.key(), 1);
        assertThat(shell("ls " + secrets)).isEqualTo(secrets);

        shell("scontrol requeue " + member);
        await().until(() -> shell("squeue -h -j " + member + " -o %T"), "PENDING"::equals);
        shell("scontrol update StartTime=now+2 JobId=" + member);

        assertThat(watch.end(job).outcome()).isEqualTo(new Succeeded());
        assertThat(shell("ls " + secrets)).contains("No such file");
        assertThat(watch.lines(job, Stream.OUT)).contains("hush 1");
    }

    @Test
    void anArrayThatNobodyWatchesRemovesItsSecretsByItself() throws Exception {
        JobSpec spec = array("0-3", "sleep $SLURM_ARRAY_TASK_ID")
                .secrets(Map.of("WORD", Secret.of("hush")))
                .build();
        JobHandle job = backend.submit(spec, new JobKey("alone-" + RUN));
        String secrets = target.layout().secrets(job.key(), 1);
        assertThat(shell("ls " + secrets)).isEqualTo(secrets);

        await().until(() -> shell("ls " + secrets), told -> told.contains("No such file"));

        assertThat(until(job, JobState.ENDED).ending()).contains(Ending.COMPLETED);
    }

    @Test
    void aNewAttemptSendsTheMembersThatAreMissingAlone() throws Exception {
        JobHandle job = backend.submit(
                array(
                                Records.draft(SlurmOptions.class)
                                        .with("array", "0-4%2")
                                        .with("requeue", false),
                                "echo $TAO_ATTEMPT > {results_dir}/attempt")
                        .build(),
                new JobKey("missing-" + RUN));
        until(job, JobState.ENDED);
        String exit = target.baseDirectory() + "/exit/" + job.key() + "-"
                + job.nativeId().replaceAll("_.*", "_");
        shell("for m in 1 3; do echo 'run=0 start=1 end=2 code=143 by=TERM' > " + exit + "$m; done");

        JobHandle next = backend.resubmit(job, Map.of(), Set.of());

        assertThat(next.nativeId()).matches("\\d+_\\[1,3]");
        assertThat(backend.resubmit(job, Map.of(), Set.of())).isEqualTo(next);
        JobStatus end = until(next, JobState.ENDED);
        assertThat(end.ending()).contains(Ending.COMPLETED);
        assertThat(end.exitCode()).hasValue(0);
        assertThat(end.members()).contains("All 5 members have completed.");
        assertThat(shell("cd " + job.resultsDirectory() + "; head -n 1 */attempt")
                        .replace("\n", " "))
                .contains("0/attempt <== 1", "1/attempt <== 2", "2/attempt <== 1", "3/attempt <== 2");
        assertThat(shell("scontrol show job " + next.nativeId().replaceAll("_.*", "_1")))
                .contains("ArrayTaskThrottle=2");
    }

    @Test
    void anIndexTheClusterDoesNotTakeIsRefusedBeforeAnythingIsSent() throws Exception {
        Report report = backend.preflight(array("0-5,2001", "true").build());

        assertThat(report.failed()).isTrue();
        assertThat(report.checks())
                .filteredOn(check -> check.name().equals("array"))
                .singleElement()
                .satisfies(check -> assertThat(check.detail()).contains("2001").contains("MaxArraySize"));
        assertThat(backend.preflight(array("0-5%2", "true").build()).failed()).isFalse();
    }
}
