package io.jenkins.plugins.tao.monitor;

import static org.assertj.core.api.Assertions.assertThat;

import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.failure.FailureRules;
import io.jenkins.plugins.tao.job.Ending;
import io.jenkins.plugins.tao.job.FirstFailure;
import io.jenkins.plugins.tao.job.JobStatus;
import io.jenkins.plugins.tao.job.Outcome;
import io.jenkins.plugins.tao.job.Outcome.Cause;
import io.jenkins.plugins.tao.status.LauncherLines;
import io.jenkins.plugins.tao.status.StatusReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class VerdictTest {
    private static final Duration AT_ONCE = Duration.ZERO;
    private static final Duration AFTER_LAG = Verdict.FILE_LAG;

    private static Optional<Outcome> decide(JobStatus status, String statusLine, String logLine, Duration sinceEnd) {
        return decide(status, statusLine, logLine, Optional.empty(), sinceEnd);
    }

    private static Optional<Outcome> decide(
            JobStatus status, String statusLine, String logLine, Optional<String> by, Duration sinceEnd) {
        StatusReader reader = new StatusReader();
        reader.feed((statusLine + "\n").getBytes(StandardCharsets.UTF_8));
        LauncherLines launcher = LauncherLines.NONE;
        for (String line : logLine.split(";", -1)) {
            launcher = launcher.after(line);
        }
        return new Verdict(
                        status,
                        reader.progress(),
                        reader.saysWorkDone(),
                        reader.trainedNothing(),
                        launcher,
                        by,
                        sinceEnd)
                .outcome();
    }

    private static JobStatus completed(int code) {
        return JobStatus.ended(Ending.COMPLETED, "COMPLETED").withExitCode(code);
    }

    @Test
    void theLastMessageOfAProgressIsNotTheReasonOfAFailure() {
        String running = "{\"status\":\"RUNNING\",\"message\":\"Train metrics generated.\"}";
        String failure = "{\"status\":\"FAILURE\",\"message\":\"no data\"}";

        assertThat(decide(completed(1), running, "", AFTER_LAG))
                .contains(new Outcome.Failed(Cause.PROGRAM, "The command ended with exit code 1."));
        assertThat(decide(completed(1), failure, "", AFTER_LAG))
                .contains(new Outcome.Failed(
                        Cause.PROGRAM, "The command ended with exit code 1. Its last message: no data"));
    }

    private static Cause cause(Optional<Outcome> outcome) {
        assertThat(outcome).get().isInstanceOf(Outcome.Failed.class);
        return ((Outcome.Failed) outcome.get()).cause();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            {"status":"SUCCESS"}                                                     | nothing
            {"status":"RUNNING","message":"Train finished successfully."}            | nothing
            {"status":"RUNNING","message":"Training loop in progress"}               | Execution status: PASS
            no status file                                                           | nothing
            """)
    void exitCodeZeroWithAConfirmingSignalIsASuccess(String statusLine, String logLine) {
        assertThat(decide(completed(0), statusLine, logLine, AT_ONCE)).contains(new Outcome.Succeeded());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            {"status":"FAILURE","message":"no such file"} | nothing
            {"status":"SUCCESS"}                          | Execution status: FAIL
            {"status":"SUCCESS"}                          | Command was interrupted;Execution status: PASS
            """)
    @Promise("SL-58")
    void oneBadSignalSpoilsASuccess(String statusLine, String logLine) {
        assertThat(cause(decide(completed(0), statusLine, logLine, AT_ONCE))).isEqualTo(Cause.PROGRAM);
    }

    @Test
    void aMultiNodeRunThatFellApartIsAFailureThoughItExitsWithZero() {
        JobStatus status = completed(0).withNodes(List.of("gpu01", "gpu02"));

        Optional<Outcome> outcome =
                decide(status, "{\"status\":\"SUCCESS\"}", "[Multinode] Error overriding configs: x", AT_ONCE);

        assertThat(cause(outcome)).isEqualTo(Cause.PROGRAM);
    }

    @Test
    void anUnfinishedStatusFileIsGivenTimeAndThenNotBelieved() {
        String line = "{\"status\":\"RUNNING\",\"message\":\"Training loop in progress\"}";

        assertThat(decide(completed(0), line, "nothing", AT_ONCE)).isEmpty();
        assertThat(cause(decide(completed(0), line, "nothing", AFTER_LAG))).isEqualTo(Cause.UNCONFIRMED);
    }

    @Test
    void successWithoutAnExitRecordIsBelievedAfterTheLag() {
        JobStatus status = JobStatus.ended(Ending.COMPLETED, "COMPLETED");

        assertThat(decide(status, "{\"status\":\"SUCCESS\"}", "nothing", AT_ONCE))
                .isEmpty();
        assertThat(decide(status, "{\"status\":\"SUCCESS\"}", "nothing", AFTER_LAG))
                .contains(new Outcome.Succeeded());
    }

    @Test
    void aPayloadThatExitedWellInAJobThatFailedIsAFailure() {
        JobStatus status = JobStatus.ended(Ending.FAILED, "FAILED").withExitCode(0);

        assertThat(cause(decide(status, "{\"status\":\"SUCCESS\"}", "nothing", AT_ONCE)))
                .isEqualTo(Cause.PROGRAM);
    }

    @ParameterizedTest
    @CsvSource({
        "TIME_LIMIT, TIME_LIMIT",
        "DEADLINE, TIME_LIMIT",
        "OUT_OF_MEMORY, OUT_OF_MEMORY",
        "PREEMPTED, PREEMPTED",
        "NODE_FAILURE, NODE_FAILURE",
        "BOOT_FAILURE, BOOT_FAILURE",
        "LAUNCH_FAILURE, LAUNCH"
    })
    void theBackendsReasonNamesTheCause(Ending ending, Cause cause) {
        assertThat(cause(decide(JobStatus.ended(ending, ending.name()), "", "nothing", AT_ONCE)))
                .isEqualTo(cause);
    }

    @ParameterizedTest
    @CsvSource({
        "1, PROGRAM, exit code 1.",
        "124, TIME_LIMIT, time-out",
        "127, PROGRAM, not found",
        "137, PROGRAM, SIGKILL",
        "140, PROGRAM, signal 12",
        "192, PROGRAM, signal 64",
        "193, PROGRAM, exit code 193.",
        "255, PROGRAM, exit code 255."
    })
    @Promise("TR-72")
    void anExitCodeIsExplained(int code, Cause cause, String words) {
        Optional<Outcome> outcome =
                decide(JobStatus.ended(Ending.FAILED, "FAILED").withExitCode(code), "", "nothing", AT_ONCE);

        assertThat(cause(outcome)).isEqualTo(cause);
        assertThat(((Outcome.Failed) outcome.orElseThrow()).detail()).contains(words);
    }

    @Test
    void aJobThatFailedWithoutAnExitRecordWaitsForItAndThenFails() {
        JobStatus status = JobStatus.ended(Ending.FAILED, "FAILED").withReason("NonZeroExitCode");

        assertThat(decide(status, "", "nothing", AT_ONCE)).isEmpty();
        assertThat(cause(decide(status, "", "nothing", AFTER_LAG))).isEqualTo(Cause.PROGRAM);
    }

    @Test
    void whatSomebodyRequestedToEndIsCancelledHoweverItEnded() {
        JobStatus status = JobStatus.ended(Ending.FAILED, "FAILED").withExitCode(143);

        assertThat(decide(status, "", "nothing", Optional.of("alice"), AT_ONCE))
                .contains(new Outcome.Cancelled("alice"));
    }

    @Test
    void aSuccessThatCameBeforeTheRequestedEndStaysASuccess() {
        assertThat(decide(completed(0), "{\"status\":\"SUCCESS\"}", "nothing", Optional.of("alice"), AT_ONCE))
                .contains(new Outcome.Succeeded());
    }

    @Test
    void aJobCancelledByAnotherNamesWhatTheBackendSays() {
        JobStatus status = JobStatus.ended(Ending.CANCELLED, "CANCELLED").withReason("by 20001");

        assertThat(decide(status, "", "nothing", AT_ONCE)).contains(new Outcome.Cancelled("by 20001"));
    }

    @Test
    @Promise("TR-36")
    void whoCancelledIsAskedForAWhileAndThenSaidToBeUnknown() {
        JobStatus status = JobStatus.ended(Ending.CANCELLED, "CANCELLED");

        assertThat(decide(status, "", "nothing", AT_ONCE)).isEmpty();
        assertThat(decide(status, "", "nothing", Verdict.ACCOUNTING_LAG))
                .contains(new Outcome.Cancelled("someone outside tao; the backend does not say who"));
    }

    @Test
    @Promise("TR-80")
    void anInterruptedRunThatEndsWithZeroIsNoSuccess() {
        JobStatus status = completed(0).withInterruption("SIGTERM");
        String running = "{\"status\":\"RUNNING\",\"message\":\"Training loop in progress\"}";

        assertThat(cause(decide(status, running, "Execution status: PASS", AFTER_LAG)))
                .isEqualTo(Cause.PROGRAM);
        assertThat(cause(decide(status, "no status file", "nothing", AFTER_LAG)))
                .isEqualTo(Cause.PROGRAM);
        assertThat(decide(status, running, "Execution status: PASS", AT_ONCE)).isEmpty();
    }

    @Test
    @Promise("TR-80")
    void aRunThatHadDoneItsWorkWhenTheSignalCameIsASuccess() {
        String done = "{\"status\":\"RUNNING\",\"message\":\"Train finished successfully.\"}";

        assertThat(decide(completed(0).withInterruption("SIGTERM"), done, "Execution status: PASS", AT_ONCE))
                .contains(new Outcome.Succeeded());
    }

    @Test
    @Promise("TR-79")
    void anErrorRecordOfALoggerAfterTheEndSpoilsNoSuccess() {
        String lines = "{\"status\":\"RUNNING\",\"message\":\"Train finished successfully.\"}\n"
                + "{\"status\":\"FAILURE\",\"verbosity\":\"ERROR\",\"message\":\"wandb: upload was slow\"}";

        assertThat(decide(completed(0), lines, "Execution status: PASS", AT_ONCE))
                .contains(new Outcome.Succeeded());
    }

    @Test
    @Promise({"TR-29", "TR-79"})
    void aTrainingThatTookUpAFinishedOneAndTrainedNothingIsNoSuccess() {
        String lines = """
                {"status":"STARTED","message":"Starting DINO train."}
                {"status":"RUNNING","message":"Resuming training from checkpoint: /r/train/dino_model_latest.pth"}
                {"status":"STARTED","message":"Starting Training Loop."}
                {"status":"RUNNING","message":"Training loop complete."}
                {"status":"RUNNING","message":"Train finished successfully."}""";

        assertThat(cause(decide(completed(0), lines, "Execution status: PASS", AT_ONCE)))
                .isEqualTo(Cause.UNCONFIRMED);
    }

    @Test
    void aJobThatIsGoneIsBelievedWhenTaoSaysInWordsThatItFinished() {
        String done = "{\"status\":\"RUNNING\",\"message\":\"Train finished successfully.\"}";

        assertThat(decide(JobStatus.ended(Ending.UNKNOWN, "GONE"), done, "nothing", AFTER_LAG))
                .contains(new Outcome.Succeeded());
    }

    /** Whatever a shell writes of it, "Killed" is a word of the signal and no sign of too little memory. */
    @Test
    void aKillFromOutsideIsNotCalledTooLittleMemory() {
        JobStatus status =
                JobStatus.ended(Ending.KILLED, "EXITED").withExitCode(137).withReason("killed from outside");
        Outcome.Failed failed =
                (Outcome.Failed) decide(status, "", "nothing", AT_ONCE).orElseThrow();

        assertThat(failed.detail()).isEqualTo("The command was ended by a signal: killed from outside.");
        assertThat(FailureRules.own()
                        .explain(failed, "ssh", true, List.of(List.of("command: line 1: 2145 Killed python3 train.py")))
                        .cause())
                .isEqualTo(Cause.UNCONFIRMED);
    }

    @Test
    @Promise("TR-06")
    void theRankThatFailedFirstIsNamed() {
        JobStatus status =
                JobStatus.ended(Ending.FAILED, "FAILED").withExitCode(5).withFirstFailure(new FirstFailure(1, "gpu02"));

        assertThat(((Outcome.Failed) decide(status, "", "nothing", AT_ONCE).orElseThrow()).detail())
                .isEqualTo("The command failed first on rank 1 on gpu02, which ended with exit code 5.");
    }

    @Test
    void howTheMembersDidIsSaidWhereverTheWholeHasFailed() {
        JobStatus failed = JobStatus.ended(Ending.FAILED, "FAILED")
                .withExitCode(3)
                .withMembers("2 of 16 members failed: 2 (exit code 3), 9 (OUT_OF_MEMORY).");

        Optional<Outcome> outcome = decide(failed, "", "", AT_ONCE);

        assertThat(((Outcome.Failed) outcome.orElseThrow()).detail())
                .isEqualTo(
                        "The command ended with exit code 3. 2 of 16 members failed: 2 (exit code 3), 9 (OUT_OF_MEMORY).");
    }
}
