package io.jenkins.plugins.tao.backend.slurm.poll;

import static io.jenkins.plugins.tao.backend.slurm.Sample.handle;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.backend.BackendException.Unreachable;
import io.jenkins.plugins.tao.backend.BackendException.Unreadable;
import io.jenkins.plugins.tao.backend.slurm.Captured;
import io.jenkins.plugins.tao.backend.slurm.Sample;
import io.jenkins.plugins.tao.job.Ending;
import io.jenkins.plugins.tao.job.FirstFailure;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.JobState;
import io.jenkins.plugins.tao.job.JobStatus;
import io.jenkins.plugins.tao.job.Outlook;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class SlurmReplyTest {
    private static JobStatus read(String file, JobHandle job) throws Exception {
        return SlurmReply.parse("dgx", Captured.reply(file), Set.of(job))
                .getOrDefault(job, JobStatus.live(JobState.UNCLEAR, "absent"));
    }

    private static Ending ending(String key, String id) throws Exception {
        return read("poll-forgotten-22.05.txt", handle(key, id)).ending().orElseThrow();
    }

    @Test
    void runningJobsTellTheirNodesAndStart() throws Exception {
        JobStatus status = read("poll-22.05.txt", handle("many", "13"));

        assertThat(status.state()).isEqualTo(JobState.RUNNING);
        assertThat(status.nodes()).containsExactly("gpu02", "gpu03");
        assertThat(status.startedAt()).contains(Instant.ofEpochSecond(1795236583));
        assertThat(status.endedAt()).isEmpty();
    }

    @Test
    @Promise({"SG-16", "GE-24"})
    void aWaitingJobSaysWhyInWords() throws Exception {
        JobStatus waits = read("poll-22.05.txt", handle("long", "8"));

        assertThat(waits.state()).isEqualTo(JobState.PENDING);
        assertThat(waits.reason().orElseThrow())
                .startsWith("PartitionTimeLimit: will never start")
                .contains("lower it");
        assertThat(waits.startedAt()).isEmpty();
    }

    @Test
    void squeueTellsEndsWithoutAnyAccounting() throws Exception {
        assertThat(read("poll-22.05.txt", handle("done", "10")).ending()).contains(Ending.COMPLETED);
        assertThat(read("poll-22.05.txt", handle("cancel", "11")).ending()).contains(Ending.CANCELLED);
        assertThat(read("poll-22.05.txt", handle("fail", "6")).ending()).contains(Ending.FAILED);
    }

    @Test
    void theFramesOwnRecordTellsTheExitCode() throws Exception {
        assertThat(read("poll-22.05.txt", Sample.handle("fail", "6")).exitCode())
                .isEmpty();

        JobHandle job = new JobHandle(
                "dgx", "slurm", handle("fail", "6").key(), 1, "6", "/lustre/tao/cap", "/r", Instant.EPOCH);

        assertThat(read("poll-22.05.txt", job).exitCode()).hasValue(137);
    }

    @Test
    void aJobThatCouldNotOpenItsLogsIsALaunchFailure() throws Exception {
        assertThat(read("poll-22.05.txt", handle("dir", "9")).ending()).contains(Ending.LAUNCH_FAILURE);
        assertThat(ending("dir", "27")).isEqualTo(Ending.LAUNCH_FAILURE);
        assertThat(read("poll-26.05.txt", handle("b", "41")).ending()).contains(Ending.LAUNCH_FAILURE);
    }

    @Test
    @Promise({"SL-57", "SL-63"})
    void whatSqueueForgotIsReadFromAccounting() throws Exception {
        assertThat(ending("done", "20")).isEqualTo(Ending.COMPLETED);
        assertThat(ending("cancel", "22")).isEqualTo(Ending.CANCELLED);
        assertThat(ending("slow", "23")).isEqualTo(Ending.TIME_LIMIT);
        assertThat(ending("big", "24")).isEqualTo(Ending.OUT_OF_MEMORY);
        assertThat(ending("node", "25")).isEqualTo(Ending.NODE_FAILURE);
        assertThat(ending("pre", "26")).isEqualTo(Ending.PREEMPTED);
    }

    @Test
    void anExitCodeThatSacctPrintsMinus128IsTakenFromTheRecord() throws Exception {
        assertThat(read("poll-forgotten-22.05.txt", handle("oom137", "21")).exitCode())
                .hasValue(137);
    }

    @Test
    void anExitCodeAfterASignalIsNotTheCommandsOwn() throws Exception {
        JobStatus status = read("poll-forgotten-22.05.txt", handle("pre", "26"));

        assertThat(status.exitCode()).isEmpty();
        assertThat(status.runs()).isEqualTo(2);
    }

    @Test
    void aHalfFilledAccountingRowEndsNoJob() throws Exception {
        assertThat(read("poll-forgotten-22.05.txt", handle("fresh", "28")).nativeState())
                .isEqualTo("absent");
    }

    @Test
    void anIdThatBelongsToAnotherJobByNowIsNotOurs() throws Exception {
        assertThat(read("poll-forgotten-22.05.txt", handle("ours", "30")).nativeState())
                .isEqualTo("absent");
        assertThat(read("poll-22.05.txt", handle("ours", "10")).nativeState()).isEqualTo("absent");
    }

    @Test
    void aRowThatAccountingNeverClosedIsDecidedByTheRecord() throws Exception {
        JobStatus status = read("poll-forgotten-22.05.txt", handle("runaway", "29"));

        assertThat(status.ending()).contains(Ending.COMPLETED);
        assertThat(status.exitCode()).hasValue(0);
        assertThat(status.endedAt()).contains(Instant.ofEpochSecond(1795236599));
    }

    private static JobStatus forgotten(String note) throws Exception {
        String reply = "tao-squeue 0\ntao-sacct 1\nslurmdbd is away\ntao-records 0\n/lustre/tao/exit/a-1:" + note
                + "\ntao-end 0\n";
        return Objects.requireNonNull(
                SlurmReply.parse("dgx", reply, Set.of(handle("a", "1"))).get(handle("a", "1")));
    }

    @Test
    @Promise("TR-02")
    void aJobThatSlurmHasForgottenSucceededOnlyWhenAllItsRanksNotedSo() throws Exception {
        JobStatus proved = forgotten("run=0 start=1 end=2 code=0 ranks=2 by=command");
        JobStatus lost = forgotten("run=0 start=1 end=2 code=0 ranks=2 rank=1 node=gpu02 by=lost");
        JobStatus old = forgotten("run=0 start=1 end=2 code=0 by=command");
        JobStatus step = forgotten("run=0 start=1 end=2 code=0 ranks=2 by=step");

        assertThat(proved.exitCode()).hasValue(0);
        assertThat(lost.ending()).contains(Ending.NODE_FAILURE);
        assertThat(lost.nodes()).containsExactly("gpu02");
        assertThat(old.exitCode()).isEmpty();
        assertThat(step.exitCode()).isEmpty();
        assertThat(step.ending()).contains(Ending.UNKNOWN);
    }

    @Test
    @Promise("TR-06")
    void theRankThatFailedFirstIsRead() throws Exception {
        JobStatus status = forgotten("run=0 start=1 end=2 code=5 ranks=2 rank=1 node=gpu02 by=command");

        assertThat(status.exitCode()).hasValue(5);
        assertThat(status.firstFailure()).contains(new FirstFailure(1, "gpu02"));
    }

    @ParameterizedTest
    @CsvSource({"launch, LAUNCH_FAILURE", "node, NODE_FAILURE"})
    void aCommandThatNeverBeganIsNoFailureOfTheProgram(String by, Ending ending) throws Exception {
        String queue = String.join("\u001f", "1", "FAILED", "NonZeroExitCode", "gpu01", "1", "2", "1", "tao-job-a");
        String note = "run=0 start=1 end=2 code=1 ranks=1 by=" + by;
        JobStatus status = SlurmReply.parse(
                        "dgx",
                        "tao-squeue 0\n" + queue + "\ntao-records 0\n/lustre/tao/exit/a-1:" + note + "\ntao-end 0\n",
                        Set.of(handle("a", "1")))
                .getOrDefault(handle("a", "1"), JobStatus.live(JobState.UNCLEAR, "absent"));

        assertThat(status.ending()).contains(ending);
        assertThat(status.exitCode()).isEmpty();
        assertThat(status.nodes()).containsExactly("gpu01");
        assertThat(forgotten(note).ending()).contains(ending);
    }

    private static JobStatus cancelled(String row, String users) throws Exception {
        return cancelled("None", row, users);
    }

    private static JobStatus cancelled(String reason, String row, String users) throws Exception {
        String us = "\u001f";
        String queue = String.join(us, "1", "CANCELLED", reason, "gpu01", "1", "2", "1", "tao-job-a");
        String past = String.join(us, "1", row, "0:0", "1", "2", "gpu01", "tao-job-a");
        String reply =
                "tao-squeue 0\n" + queue + "\ntao-sacct 0\n" + past + "\n" + users + "tao-records 0\ntao-end 0\n";
        return Objects.requireNonNull(
                SlurmReply.parse("dgx", reply, Set.of(handle("a", "1"))).get(handle("a", "1")));
    }

    @Test
    @Promise("TR-36")
    void whoCancelledIsReadFromAccounting() throws Exception {
        assertThat(cancelled("CANCELLED by 20001", "tao-users 0\n20001 alice\n").reason())
                .contains("alice (scancel)");
        assertThat(cancelled("CANCELLED by 20001", "tao-users 0\n20001 \n").reason())
                .contains("the user with id 20001 (scancel)");
        assertThat(cancelled("CANCELLED", "").reason()).contains("the scheduler");
        assertThat(cancelled("RUNNING", "").reason()).isEmpty();
    }

    /** Slurm keeps in the queue what a job waited for when it was cancelled: seen with 22.05.8 and a job in its prolog. */
    @ParameterizedTest
    @ValueSource(strings = {"Prolog", "Dependency", "Resources", "Priority", "BeginTime"})
    @Promise("TR-36")
    void whatACancelledJobWaitedForIsNoReasonOfItsEnd(String wait) throws Exception {
        assertThat(cancelled(wait, "CANCELLED by 20001", "tao-users 0\n20001 alice\n")
                        .reason())
                .contains("alice (scancel)");
        assertThat(cancelled(wait, "PENDING", "").reason()).isEmpty();
        assertThat(cancelled("DependencyNeverSatisfied", "CANCELLED", "").reason())
                .contains("DependencyNeverSatisfied");
    }

    @Test
    @Promise("TR-21")
    void aJobThatWasCancelledBeforeItHadNodesHasNotStarted() throws Exception {
        String us = "\u001f";
        String queue = String.join(us, "1", "CANCELLED", "Dependency", "", "5", "5", "1", "tao-job-a");
        String past = String.join(us, "1", "CANCELLED by 0", "0:0", "5", "5", "None assigned", "tao-job-a");
        for (String rows :
                List.of("tao-squeue 0\n" + queue + "\ntao-sacct 0\n", "tao-squeue 0\ntao-sacct 0\n" + past + "\n")) {
            JobStatus status = Objects.requireNonNull(
                    SlurmReply.parse("dgx", rows + "tao-records 0\ntao-end 0\n", Set.of(handle("a", "1")))
                            .get(handle("a", "1")));

            assertThat(status.ending()).contains(Ending.CANCELLED);
            assertThat(status.startedAt()).isEmpty();
            assertThat(status.endedAt()).contains(Instant.ofEpochSecond(5));
        }
    }

    @Test
    void aJobNobodyKnowsIsAbsent() throws Exception {
        assertThat(read("poll-forgotten-22.05.txt", handle("gone", "777")).nativeState())
                .isEqualTo("absent");
    }

    @Test
    void completingIsNeverTheEnd() throws Exception {
        assertThat(read("poll-26.05.txt", handle("a", "40")).state()).isEqualTo(JobState.RUNNING);
    }

    @Test
    void aStateFromANewerSlurmKeepsTheJobWatched() throws Exception {
        JobStatus status = read("poll-26.05.txt", handle("c", "42"));

        assertThat(status.state()).isEqualTo(JobState.UNCLEAR);
        assertThat(status.nativeState()).isEqualTo("SPECULATING");
    }

    @Test
    void reasonsWithBlanksAreKept() throws Exception {
        assertThat(read("poll-26.05.txt", handle("d", "43")).reason().orElseThrow())
                .startsWith("job requeued in held state: held");
    }

    @Test
    void aControllerThatIsAwayEndsNoJob() {
        String reply = """
                tao-squeue 1
                slurm_load_jobs error: Unable to contact slurm controller (connect failure)
                tao-records 0
                /lustre/tao/exit/a-1:run=0 start=1 end=2 code=1 by=command
                tao-end 0
                """;

        assertThatThrownBy(() -> SlurmReply.parse("dgx", reply, Set.of(handle("a", "1"))))
                .isInstanceOf(Unreachable.class)
                .hasMessageContaining("Unable to contact slurm controller");
    }

    @Test
    void accountingThatIsOffLeavesTheRecord() throws Exception {
        String reply = """
                tao-squeue 0
                tao-sacct 1
                Slurm accounting storage is disabled
                tao-records 0
                /lustre/tao/exit/a-1:run=0 start=1 end=2 code=3 by=command
                tao-end 0
                """;

        Map<JobHandle, JobStatus> found = SlurmReply.parse("dgx", reply, Set.of(handle("a", "1"), handle("b", "2")));

        assertThat(found).containsOnlyKeys(handle("a", "1"));
        assertThat(found.values())
                .allSatisfy(status -> assertThat(status.exitCode()).hasValue(3));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "sacct: error: slurm_persist_conn_open_without_init: failed to open persistent connection to host:127.0.0.1:6819: Connection refused",
                "sacct: error: _open_persist_conn: failed to open persistent connection to host:127.0.0.1:6819: Connection refused",
                "Slurm accounting storage is disabled",
                "sh: 1: sacct: not found"
            })
    void withoutAnyAccountingTheRecordDecidesInEveryVersion(String sacct) throws Exception {
        String reply = "tao-squeue 1\nslurm_load_jobs error: Invalid job id specified\ntao-sacct 1\n" + sacct
                + "\ntao-records 0\n/lustre/tao/exit/a-1:run=0 start=1 end=2 code=137 by=command\ntao-end 0\n";

        Map<JobHandle, JobStatus> found = SlurmReply.parse("dgx", reply, Set.of(handle("a", "1"), handle("b", "2")));

        assertThat(found).containsOnlyKeys(handle("a", "1"));
        assertThat(found.values()).allSatisfy(status -> {
            assertThat(status.ending()).contains(Ending.FAILED);
            assertThat(status.exitCode()).hasValue(137);
        });
    }

    @ParameterizedTest
    @CsvSource({
        "segv, 100, FAILED",
        "dir, 101, LAUNCH_FAILURE",
        "boot, 103, BOOT_FAILURE",
        "killed, 110, FAILED",
        "c128, 111, FAILED",
        "dep, 112, CANCELLED",
        "refused, 113, LAUNCH_FAILURE",
        "late, 114, DEADLINE",
        "node, 115, NODE_FAILURE"
    })
    void theEndsOf2411AreRead(String key, String id, Ending ending) throws Exception {
        assertThat(read("poll-24.11.txt", handle(key, id)).ending()).contains(ending);
    }

    @ParameterizedTest
    @CsvSource({"again, 102, PENDING", "ending, 104, RUNNING", "row, 116, UNCLEAR", "requeued, 117, UNCLEAR"})
    void whatHasNotEndedIn2411IsNotTakenForAnEnd(String key, String id, JobState state) throws Exception {
        assertThat(read("poll-24.11.txt", handle(key, id)).state()).isEqualTo(state);
    }

    @ParameterizedTest
    @CsvSource({
        "done, 120, COMPLETED",
        "killed, 121, FAILED",
        "dir, 122, LAUNCH_FAILURE",
        "cancel, 123, CANCELLED",
        "big, 124, OUT_OF_MEMORY",
        "slow, 125, TIME_LIMIT",
        "pre, 126, PREEMPTED"
    })
    void theEndsOf2605AreReadFromItsAccounting(String key, String id, Ending ending) throws Exception {
        assertThat(read("poll-forgotten-26.05.txt", handle(key, id)).ending()).contains(ending);
    }

    @Test
    void theExitCodeIsTheSameWhetherSacctPrints137AsNineOrAsItIs() throws Exception {
        assertThat(read("poll-24.11.txt", handle("killed", "110")).exitCode()).hasValue(137);
        assertThat(read("poll-forgotten-26.05.txt", handle("killed", "121")).exitCode())
                .hasValue(137);
    }

    @Test
    void halfAnAnswerIsNoAnswer() {
        assertThatThrownBy(() -> SlurmReply.parse("dgx", "tao-squeue 0\n", Set.of(handle("a", "1"))))
                .isInstanceOf(Unreadable.class);
    }

    @ParameterizedTest
    @CsvSource({
        "Priority, 1795236582, 1795236582, false",
        "PartitionTimeLimit, N/A, , true",
        "BeginTime, 1795237201, 1795237201, false",
        "JobHeldAdmin, 1795237201, , false",
        "Resources, N/A, , false"
    })
    @Promise({"TR-21", "TR-66"})
    void whatIsExpectedOfAWaitingJobIsToldExactly(String reason, String start, @Nullable Long expected, boolean never)
            throws Exception {
        JobHandle job = handle("long", "8");
        String row = String.join("\u001f", "8", "PENDING", reason, "", start, "N/A", "1795230000", "tao-job-long");

        JobStatus status = SlurmReply.parse("dgx", "tao-squeue 0\n" + row + "\ntao-end 0\n", Set.of(job))
                .getOrDefault(job, JobStatus.live(JobState.UNCLEAR, "absent"));

        assertThat(status.state()).isEqualTo(JobState.PENDING);
        assertThat(status.startedAt()).isEmpty();
        assertThat(status.notices()).isEmpty();
        assertThat(status.outlook())
                .isEqualTo(new Outlook(never, Optional.ofNullable(expected).map(Instant::ofEpochSecond)));
    }
}
