package io.jenkins.plugins.tao.backend.slurm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jenkins.plugins.tao.NeedsRig;
import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.backend.Backend;
import io.jenkins.plugins.tao.backend.BackendContract;
import io.jenkins.plugins.tao.backend.BackendException.Denied;
import io.jenkins.plugins.tao.backend.BackendException.Rejected;
import io.jenkins.plugins.tao.backend.BackendType;
import io.jenkins.plugins.tao.backend.Report;
import io.jenkins.plugins.tao.backend.Target;
import io.jenkins.plugins.tao.backend.slurm.options.ArrayId;
import io.jenkins.plugins.tao.backend.slurm.options.SlurmLayout;
import io.jenkins.plugins.tao.backend.slurm.options.SlurmTarget;
import io.jenkins.plugins.tao.backend.slurm.rest.RestRows;
import io.jenkins.plugins.tao.backend.slurm.rest.SlurmApi;
import io.jenkins.plugins.tao.job.Ending;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.JobKey;
import io.jenkins.plugins.tao.job.JobSpec;
import io.jenkins.plugins.tao.job.JobState;
import io.jenkins.plugins.tao.job.JobStatus;
import io.jenkins.plugins.tao.job.Resources;
import io.jenkins.plugins.tao.remote.host.Host;
import io.jenkins.plugins.tao.remote.ssh.SshHost;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.UUID;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** The promises every backend keeps, by the real slurmrestd of the rig; files go by SSH. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@NeedsRig(value = "slurm", shared = true)
final class SlurmRestIT extends BackendContract {
    private final SlurmType type = new SlurmType();
    private final String directory = "rest-" + UUID.randomUUID().toString().substring(0, 8);
    private final SlurmTarget target =
            SlurmRig.target(directory).with("rest", SlurmRig.rest()).build();
    private final Backend backend = type.open(target);
    private final Host host = new SshHost(target.login(), "rig");

    @BeforeAll
    static void rig() {
        SlurmRig.assumeUp();
    }

    @AfterAll
    void close() {
        backend.close();
        host.close();
    }

    @Override
    protected BackendType type() {
        return type;
    }

    @Override
    protected Target target() {
        return target;
    }

    @Override
    protected Backend backend() {
        return backend;
    }

    @Override
    protected String shell(String script) throws Exception {
        return host.run(script, Duration.ofMinutes(1)).text();
    }

    @Override
    protected String everything() {
        return target.baseDirectory();
    }

    @Override
    protected JobSpec.Builder job(String command) {
        return JobSpec.of(command)
                .resources(new Resources(1, OptionalInt.of(1), OptionalInt.of(1), Optional.of(Duration.ofMinutes(10))));
    }

    @Override
    protected Duration patience() {
        return Duration.ofMinutes(5);
    }

    @Override
    protected Optional<String> outFile(JobHandle job) {
        return Optional.of(target.layout().log(job, "out"));
    }

    @Override
    @Test
    @Promise("NS-27")
    protected void theExitCodeOfTheCommandComesThrough() throws Exception {
        super.theExitCodeOfTheCommandComesThrough();
    }

    @Test
    void jobsAreCancelledTogetherWhateverBecameOfOneOfThem() throws Exception {
        severalJobsAreCancelledTogether();
    }

    @Test
    @Promise("NS-27")
    void aJobOfOneWayIsWatchedAndEndedByTheOther() throws Exception {
        try (Backend commands = type.open(SlurmRig.target(directory).build())) {
            JobHandle job = submit(job("sleep 600").build());
            patiently().until(() -> commands.poll(Set.of(job)).containsKey(job));
            commands.cancel(job);

            assertThat(end(job).ending()).hasValue(Ending.CANCELLED);
            patiently() // accounting lags behind
                    .until(() -> look(job).reason().equals(Optional.of("tao (scancel)")));
        }
    }

    @Test
    @Promise("NS-27")
    void anArrayOfSeveralNodesKeepsItsShapeAndOneMemberIsEnded() throws Exception {
        JobSpec spec = job("[ $SLURM_ARRAY_TASK_ID = 1 ] || sleep 600")
                .options(SlurmRig.options("array", "0-2%2"))
                .build();
        JobHandle array = submit(spec);
        patiently()
                .until(() -> shell("squeue -h -t all -j " + ArrayId.whole(array) + " -o %T")
                        .contains("COMPLETED"));

        patiently().until(() -> look(array).state() == JobState.RUNNING);
        assertThat(shell("scontrol -o show job " + ArrayId.whole(array)))
                .contains("TimeLimit=00:10:00")
                .contains("Requeue=1")
                .contains("StdErr=" + target.baseDirectory() + "/slurm-logs/");
        backend().cancel(ArrayId.memberOf(array, 0));
        patiently()
                .until(() -> shell("squeue -h -t all -j " + ArrayId.whole(array) + "_0 -o %T")
                        .contains("CANCELLED"));
        patiently()
                .until(() -> shell("squeue -h -j " + ArrayId.whole(array) + "_2 -o %T")
                        .contains("RUNNING"));
        backend().cancel(array);
        assertThat(end(array).ending()).hasValue(Ending.CANCELLED);
    }

    @Test
    @Promise("NS-27")
    void whatSlurmRefusesIsToldWithItsRemedyAndMayBeSentAgain() throws Exception {
        JobKey key = key();
        JobSpec wrong =
                job("true").options(SlurmRig.options("partition", "nope")).build();

        assertThatThrownBy(() -> backend().submit(wrong, key))
                .isInstanceOf(Rejected.class)
                .hasMessageContaining("Invalid partition name specified")
                .extracting(e -> ((Rejected) e).remedy())
                .asString()
                .contains("Use one of: polar, ");
        assertThatThrownBy(() -> backend().submit(wrong, key)).isInstanceOf(Rejected.class);
        assertThat(shell("ls " + target.baseDirectory() + "/submit")).doesNotContain(key.value());
    }

    @Test
    @Promise("NS-27")
    void theChecksTellTheVersionAndThePartitions() throws Exception {
        Report fine = backend().preflight(job("true").build());
        Report tooLong = backend()
                .preflight(JobSpec.of("true")
                        .resources(new Resources(
                                1, OptionalInt.of(1), OptionalInt.of(1), Optional.of(Duration.ofHours(5))))
                        .build());

        assertThat(fine.failed()).isFalse();
        assertThat(fine.toString()).containsPattern("v0\\.0\\.\\d+ of Slurm \\d\\d\\.\\d\\d");
        assertThat(tooLong.failed()).isTrue();
        assertThat(tooLong.toString()).contains("polar").contains("would wait for ever");
    }

    /** Slurm 22.05 tells of a token that has run out in the words of a controller that is away. */
    @Test
    @Promise("NS-27")
    void aTokenThatHasRunOutIsToldAndEndsNoJob() throws Exception {
        JobHandle job = submit(job("sleep 600").build());
        SlurmTarget old = SlurmRig.target(directory)
                .with("rest", SlurmRig.rest(SlurmRig.expiredToken()))
                .build();
        try (Backend late = type.open(old)) {
            assertThatThrownBy(() -> late.poll(Set.of(job)))
                    .isInstanceOf(Denied.class)
                    .hasMessageContaining(
                            "does not take the token of user 'tao', which by its own words is valid until 20")
                    .extracting(e -> ((Denied) e).remedy())
                    .asString()
                    .contains("scontrol token username=tao lifespan=");
            assertThatThrownBy(() -> late.submit(job("true").build(), key())).isInstanceOf(Denied.class);
            assertThatThrownBy(() -> late.cancel(job)).isInstanceOf(Denied.class);
        }
        assertThat(look(job).state()).isIn(JobState.PENDING, JobState.RUNNING);
        backend().cancel(job);
    }

    private ConditionFactory patiently() {
        return Awaitility.await().atMost(patience()).pollInterval(Duration.ofMillis(200));
    }

    /** Its files told that it was sent and not what came of that: as after a crash between the two. */
    @Test
    @Promise("NS-27")
    void aJobWhoseIdWasNeverNotedIsFoundByItsName() throws Exception {
        JobKey key = key();
        JobSpec spec = job("echo started >>{results_dir}/starts").build();
        JobHandle first = backend().submit(spec, key);
        end(first);
        String mark = target.baseDirectory() + "/submit/" + key + ".1";
        shell("rm " + mark + ".id " + target.baseDirectory() + "/exit/" + key + "-*");

        JobHandle again = backend().submit(spec, key);

        assertThat(again.nativeId()).isEqualTo(first.nativeId());
        assertThat(shell("cat " + first.resultsDirectory() + "/starts")).isEqualTo("started\n");
    }

    @Test
    @Promise("NS-27")
    void aJobThatOnlyAccountingKnowsHasItsEnd() throws Exception {
        JobHandle job = submit(job("exit 3").build());
        JobStatus status = end(job);
        shell("rm " + target.baseDirectory() + "/exit/" + job.key() + "-*");
        SlurmApi api = new SlurmApi("rig", SlurmRig.rest());
        String rows = patiently()
                .until(
                        () -> String.join(
                                "\n", RestRows.all(api.past(job.nativeId()).orElseThrow(), RestRows::past)),
                        text -> text.contains("FAILED")
                                && !text.endsWith("allocation")); // the end may come before the beginning
        api.close();

        assertThat(status.ending()).hasValue(Ending.FAILED);
        assertThat(rows).startsWith(job.nativeId() + "\u001fFAILED\u001f").endsWith(SlurmLayout.jobName(job.key()));
    }
}
