package io.jenkins.plugins.tao.backend.box;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.backend.ArtifactFile;
import io.jenkins.plugins.tao.backend.ArtifactPlan;
import io.jenkins.plugins.tao.backend.ArtifactSink;
import io.jenkins.plugins.tao.backend.Attributing;
import io.jenkins.plugins.tao.backend.Backend;
import io.jenkins.plugins.tao.backend.BackendContract;
import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.backend.BackendType;
import io.jenkins.plugins.tao.backend.BackendTypes;
import io.jenkins.plugins.tao.backend.MemoryFile;
import io.jenkins.plugins.tao.backend.Report;
import io.jenkins.plugins.tao.backend.Target;
import io.jenkins.plugins.tao.backend.box.options.BoxOptionsOf;
import io.jenkins.plugins.tao.backend.box.options.BoxUsual;
import io.jenkins.plugins.tao.backend.box.options.LocalTarget;
import io.jenkins.plugins.tao.job.Ending;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.JobKey;
import io.jenkins.plugins.tao.job.JobSpec;
import io.jenkins.plugins.tao.job.JobState;
import io.jenkins.plugins.tao.job.JobStatus;
import io.jenkins.plugins.tao.remote.host.LocalHost;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

class LocalBackendTest extends BackendContract {
    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    Path temporary;

    private final LocalType type = new LocalType();
    private LocalTarget target;
    private Backend backend;

    @BeforeEach
    void open() {
        target = new LocalTarget("here", temporary + "/tao", BoxUsual.SETTINGS);
        backend = type.open(target);
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
        return new LocalHost().run(script, Duration.ofMinutes(5)).text();
    }

    @Override
    protected String everything() {
        return temporary.toString();
    }

    @Test
    void theTypeIsFoundByName() {
        assertThat(BackendTypes.load().named("local")).isInstanceOf(LocalType.class);
        assertThat(BackendTypes.load().of(target).name()).isEqualTo("local");
    }

    @Test
    @Promise({"GB-04", "GB-24"})
    void aJobIsInASessionOfItsOwnWithoutAnythingOfOurs() throws Exception {
        JobHandle job = submit(job("ps -o pid=,sid=,tty= -p $$ >{results_dir}/ps; readlink /proc/self/fd/0"
                        + " >{results_dir}/stdin; touch {results_dir}/up; sleep 600")
                .build());
        waitForFile(job.resultsDirectory() + "/up");
        String[] words = shell("cat " + job.resultsDirectory() + "/ps").strip().split("\\s+", -1);

        assertThat(words[1])
                .isEqualTo(process(job)[0])
                .isNotEqualTo(shell("ps -o sid= -p $$").strip());
        assertThat(words[2]).isEqualTo("?");
        assertThat(shell("cat " + job.resultsDirectory() + "/stdin")).isEqualTo("/dev/null\n");
        backend.cancel(job);
        end(job);
    }

    @Test
    @Promise("GB-25")
    @Override
    protected void aCommandThatReadsStandardInputFindsItEmpty() throws Exception {
        super.aCommandThatReadsStandardInputFindsItEmpty();
    }

    @Test
    @Promise("TR-36")
    void whoAskedForTheEndFirstIsReportedToAllWhoLook() throws Exception {
        JobHandle job = submit(job("touch {results_dir}/up; sleep 600").build());
        waitForFile(job.resultsDirectory() + "/up");

        ((Attributing) backend).cancel(job, "taoCancel in night #7 (it's\n\"ada\")");
        ((Attributing) backend).cancel(job, "a second one");
        backend.cancel(job);

        assertThat(end(job).ending()).hasValue(Ending.CANCELLED);
        assertThat(end(job).reason()).hasValue("taoCancel in night #7 (it's \"ada\")");
    }

    @Test
    void aJobThatDeafensItselfIsKilledAfterTheGrace() throws Exception {
        JobHandle job = submit(job("trap '' TERM; touch {results_dir}/up; while :; do sleep 0.2; done")
                .options(BoxOptionsOf.grace(Duration.ofSeconds(1)))
                .build());
        waitForFile(job.resultsDirectory() + "/up");

        backend.cancel(job);

        assertThat(end(job).ending()).hasValue(Ending.CANCELLED);
        String leader = process(job)[0];
        // The kernel's init collects killed processes a moment later.
        Awaitility.await()
                .untilAsserted(() -> assertThat(shell("ps -o args= -g " + leader + " | grep -c sleep || :"))
                        .isEqualTo("0\n"));
    }

    @Test
    @Promise("TR-14")
    void aCancelEndsAProcessThatLeftItsSessionAndIgnoresIt() throws Exception {
        JobHandle job = submit(job("setsid sh -c 'trap \"\" TERM; echo $$ >{results_dir}/deaf; exec sleep 600' & wait")
                .options(BoxOptionsOf.grace(Duration.ofSeconds(1)))
                .build());
        waitForFile(job.resultsDirectory() + "/deaf");

        backend.cancel(job);

        assertThat(end(job).ending()).hasValue(Ending.CANCELLED);
        // The kernel's init collects killed processes a moment later.
        Awaitility.await()
                .untilAsserted(() -> assertThat(shell(
                                "kill -0 $(cat " + job.resultsDirectory() + "/deaf) 2>/dev/null && echo alive || :"))
                        .isEmpty());
    }

    @Test
    @Promise("TR-80")
    void aCommandThatASignalInterruptedAndThatEndsWithZeroIsNoSuccess() throws Exception {
        JobHandle job = submit(job("trap 'exit 0' TERM; touch {results_dir}/up; while :; do sleep 0.2; done")
                .build());
        waitForFile(job.resultsDirectory() + "/up");

        shell("kill -s TERM -- -" + process(job)[0]);

        assertThat(end(job).exitCode()).hasValue(143);
        assertThat(end(job).ending()).get().isNotEqualTo(Ending.COMPLETED);
    }

    @Test
    void aProcessThatIsGoneWithoutRecordIsUnknownAndNeverSuccess() throws Exception {
        JobHandle job = running();

        shell("kill -s KILL -- -" + process(job)[0]);
        JobStatus status = end(job);

        assertThat(status.ending()).hasValue(Ending.UNKNOWN);
        assertThat(status.exitCode()).isEmpty();
    }

    @Test
    void aRebootIsToldFromAnotherBootId() throws Exception {
        JobHandle job = running();
        String[] identity = process(job);
        shell("kill -s KILL -- -" + identity[0]);

        Files.writeString(
                Path.of(job.jobDirectory(), "attempt-1", "process"),
                identity[0] + " " + identity[1] + " 00000000-old-boot " + identity[3] + "\n");
        JobStatus status = end(job);

        assertThat(status.ending()).hasValue(Ending.NODE_FAILURE);
        assertThat(status.reason().orElse("")).startsWith("reboot: ").contains("00000000-old-boot");
    }

    @Test
    void aStrangerWithTheSamePidIsNotOurJobAndIsLeftAlone() throws Exception {
        JobHandle job = running();
        String[] identity = process(job);
        shell("kill -s KILL -- -" + identity[0]);
        Process stranger = new ProcessBuilder("setsid", "sleep", "60").start();

        Files.writeString(
                Path.of(job.jobDirectory(), "attempt-1", "process"),
                stranger.pid() + " " + identity[1] + " " + identity[2] + " " + identity[3] + "\n");
        assertThat(end(job).ending()).hasValue(Ending.UNKNOWN);
        backend.cancel(job);

        assertThat(stranger.isAlive()).isTrue();
        stranger.destroy();
    }

    @Test
    void aSubmissionThatDiedHalfWayIsFinishedByTheNext() throws Exception {
        JobSpec spec = job("echo ran").build();
        JobKey key = key();
        Files.createDirectories(temporary.resolve("tao/jobs/" + key + "/attempt-1"));
        JobHandle known =
                new JobHandle("here", "local", key, 1, "x", temporary + "/tao/jobs/" + key, "/r", Instant.EPOCH);
        assertThat(look(known).state()).isEqualTo(JobState.PENDING);

        assertThat(end(backend.submit(spec, key)).exitCode()).hasValue(0);
    }

    @Test
    void theSpecIsWrittenForTheCommand() throws Exception {
        JobHandle job =
                submit(job("cat {config_path}; echo; echo {job_id} {num_gpus} \"$TAO_RESULTS_ROOT\" $PYTHONUNBUFFERED")
                        .spec(Map.of("train", Map.of("num_epochs", 2, "name", "é\n" + "x".repeat(100_000))))
                        .build());
        end(job);

        String out = shell("cat " + job.jobDirectory() + "/main.out");
        assertThat(out)
                .contains("  num_epochs: 2\n", "results_dir: \"" + job.resultsDirectory() + "\"\n", "x".repeat(100_000))
                .endsWith("\n" + job.key() + " 0 " + temporary + "/tao/results 1\n");
    }

    @Test
    @Promise("GB-29")
    void aWrapperWhoseControllerNeverComesBackWithdrawsAndHasRunNothing() throws Exception {
        StagedJobs jobs = new StagedJobs(temporary, target);
        Path job = jobs.staged("gate", job("touch {results_dir}/ran").build());
        Files.delete(job.resolve("attempt-1/gate/open"));
        Files.delete(job.resolve("attempt-1/gate"));
        Files.writeString(job.resolve("settings"), Files.readString(job.resolve("settings")) + "tao_gate=3\n");

        jobs.run("sh", job, "# complete");

        assertThat(job.resolve("attempt-1/process")).doesNotExist();
        assertThat(temporary.resolve("tao/results/gate/ran")).doesNotExist();
        assertThat(end(backend.submit(job("true").build(), new JobKey("gate"))).exitCode())
                .hasValue(0);
    }

    @Test
    void aGoodJobPassesPreflightAndAMissingInputDoesNot() throws Exception {
        assertThat(backend.preflight(job("x").build()).failed()).isFalse();

        Report report =
                backend.preflight(job("x").inputs(List.of("/no/such data")).build());

        assertThat(report.checks())
                .anySatisfy(check -> assertThat(check.detail()).contains("/no/such data"));
    }

    @Test
    void aDirectoryThatCannotBeMadeIsToldWithItsName() {
        Backend broken = type.open(new LocalTarget("here", "/proc/none", BoxUsual.SETTINGS));

        assertThatThrownBy(() -> broken.submit(job("x").build(), key()))
                .isInstanceOf(BackendException.Rejected.class)
                .hasMessageContaining("/proc/none");
    }

    @Test
    @Promise("TR-29")
    void aResultsDirectoryThatALivingJobUsesIsRefusedAndOneOfAnEndedJobIsTaken() throws Exception {
        String shared = temporary + "/shared";
        JobHandle first = submit(job("touch {results_dir}/up; sleep 600")
                .resultsDirectory(shared)
                .build());
        waitForFile(shared + "/up");

        JobHandle second =
                submit(job("touch {results_dir}/mixed").resultsDirectory(shared).build());
        JobStatus refused = end(second);

        assertThat(refused.exitCode()).hasValue(79);
        assertThat(refused.ending()).get().isNotEqualTo(Ending.COMPLETED);
        assertThat(shell("cat " + second.jobDirectory() + "/main.err"))
                .contains("is in use by job " + first.key() + ", which has not ended");
        assertThat(Path.of(shared, "mixed")).doesNotExist();
        backend.cancel(first);
        end(first);
        assertThat(end(submit(job("touch {results_dir}/mine")
                                .resultsDirectory(shared)
                                .build()))
                        .exitCode())
                .hasValue(0);
    }

    @Test
    @Promise("TR-29")
    void whatAnEarlierRunLeftInTheResultsDirectoryIsNotArchived() throws Exception {
        JobHandle job = submit(job("echo x >{results_dir}/model.pth; echo '{}' >{results_dir}/status.json")
                .build());
        end(job);
        JobHandle later = new JobHandle(
                job.target(),
                job.backend(),
                job.key(),
                job.attempt(),
                job.nativeId(),
                job.jobDirectory(),
                job.resultsDirectory(),
                job.submittedAt().plusSeconds(3600));

        assertThat(fetched(job)).contains("results/model.pth", "results/status.json");
        assertThat(fetched(later)).contains("logs/main.out").noneMatch(name -> name.startsWith("results/"));
    }

    private List<String> fetched(JobHandle job) throws Exception {
        List<String> names = new ArrayList<>();
        backend.fetch(job, ArtifactPlan.of(List.of("*.pth")), new ArtifactSink() {
            @Override
            public ArtifactFile open(String path) {
                return new MemoryFile(file -> names.add(path));
            }

            @Override
            public void skipped(String path, String reason) {}
        });
        return names;
    }

    private JobHandle running() throws Exception {
        JobHandle job = submit(job("touch {results_dir}/up; sleep 600").build());
        waitForFile(job.resultsDirectory() + "/up");
        return job;
    }

    private String[] process(JobHandle job) throws Exception {
        return shell("cat " + job.jobDirectory() + "/attempt-" + job.attempt() + "/process")
                .strip()
                .split(" ", -1);
    }

    @Test
    @Promise("GE-07")
    void checkingAJobLeavesNothingBehind() throws Exception {
        String before = shell("cd " + temporary + " && find . | sort");

        backend.preflight(JobSpec.of("true")
                .image("nvcr.io/nvidia/tao:6")
                .spec(Map.of("train", Map.of("lr", 1)))
                .build());

        assertThat(shell("cd " + temporary + " && find . | sort")).isEqualTo(before);
        assertThat(temporary.resolve("tao")).doesNotExist();
    }

    @Test
    @Promise("TR-19")
    void jobsThatShareAMachineMeetAtDifferentPorts() throws Exception {
        String command = "echo $MASTER_PORT $PET_MASTER_PORT >{results_dir}/port; touch {results_dir}/up; sleep 600";
        JobHandle first = submit(job(command).build());
        JobHandle second = submit(job(command).build());
        waitForFile(first.resultsDirectory() + "/up");
        waitForFile(second.resultsDirectory() + "/up");

        assertThat(shell("cat " + first.resultsDirectory() + "/port"))
                .matches("(\\d{5}) \\1\n")
                .isNotEqualTo(shell("cat " + second.resultsDirectory() + "/port"));
        backend.cancel(first);
        backend.cancel(second);
        end(first);
        end(second);
    }

    @Test
    @Promise("TR-77")
    void jobsAreCancelledTogetherWhateverBecameOfOneOfThem() throws Exception {
        severalJobsAreCancelledTogether();
    }
}
