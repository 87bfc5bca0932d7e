package io.jenkins.plugins.tao.backend.slurm.array;

import static org.assertj.core.api.Assertions.assertThat;

import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.backend.MemberFold;
import io.jenkins.plugins.tao.backend.slurm.Captured;
import io.jenkins.plugins.tao.backend.slurm.Sample;
import io.jenkins.plugins.tao.backend.slurm.options.ArrayId;
import io.jenkins.plugins.tao.backend.slurm.poll.SlurmReply;
import io.jenkins.plugins.tao.job.Ending;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.JobState;
import io.jenkins.plugins.tao.job.JobStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the rows and notes of members amount to, in the words of three Slurms. */
final class ArrayFoldTest {
    private static JobStatus read(String file, String key, String id) throws Exception {
        JobHandle job = Sample.handle(key, id);
        return SlurmReply.parse("dgx", Captured.reply(file), Set.of(job))
                .getOrDefault(job, JobStatus.live(JobState.UNCLEAR, "absent"));
    }

    private static JobStatus fold(String... lines) throws Exception {
        return foldOf("4711_[0-2]", lines);
    }

    /** Lines of squeue, of sacct behind {@code past}, and notes behind {@code note}. */
    private static JobStatus foldOf(String id, String... lines) throws Exception {
        StringBuilder queue = new StringBuilder("tao-squeue 0\n");
        StringBuilder past = new StringBuilder("tao-sacct 0\n");
        StringBuilder notes = new StringBuilder("tao-records 0\n");
        for (String line : lines) {
            String[] words = line.split(" ", 2);
            switch (words[0]) {
                case "past" ->
                    past.append(words[1].replace(' ', '\u001f')).append("\u001f1\u001f2\u001fgpu01\u001ftao-job-a\n");
                case "note" ->
                    notes.append("/lustre/tao/exit/a-").append(words[1]).append('\n');
                default -> queue.append(line.replace(' ', '\u001f')).append("\u001f1\u001f2\u001f1\u001ftao-job-a\n");
            }
        }
        JobHandle job = Sample.handle("a", id);
        return SlurmReply.parse("dgx", "" + queue + past + notes + "tao-end 0\n", Set.of(job))
                .getOrDefault(job, JobStatus.live(JobState.UNCLEAR, "absent"));
    }

    private static String good(int member) {
        return "note 4711_" + member + ":run=0 start=1 end=2 code=0 ranks=1 by=command";
    }

    @Test
    void theTimeOfItsMembersIsThatOfThoseWhoseTimeIsKnown() {
        JobStatus hour = JobStatus.ended(Ending.COMPLETED, "COMPLETED")
                .withExitCode(0)
                .withTimes(Optional.of(Instant.ofEpochSecond(100)), Optional.of(Instant.ofEpochSecond(3700)));

        JobStatus whole = MemberFold.of(List.of(0, 1), Map.of(0, hour, 1, hour), Set.of())
                .status()
                .orElseThrow();
        JobStatus partly = MemberFold.of(List.of(0, 1, 2), Map.of(0, hour, 1, hour.withRuns(2)), Set.of())
                .status()
                .orElseThrow();

        assertThat(whole.ran()).contains(Duration.ofHours(2));
        assertThat(whole.untimed()).isZero();
        assertThat(partly.ran()).contains(Duration.ofHours(2));
        assertThat(partly.untimed())
                .as("one without any status, and one whose first run is not known")
                .isEqualTo(2);
    }

    @Test
    void whileNoneHasStartedItWaitsAndSaysWhy() throws Exception {
        JobStatus status = read("array-22.05.txt", "wait", "4210_[0-3]");

        assertThat(status.state()).isEqualTo(JobState.PENDING);
        assertThat(status.reason()).hasValueSatisfying(why -> assertThat(why).startsWith("JobHeldUser: held"));
        assertThat(status.notices()).isEmpty();
    }

    @Test
    @Promise("SG-16")
    void thatMembersWaitForEachOtherIsNoReasonWhenThereIsAnother() throws Exception {
        JobStatus status = fold(
                "4711_0 PENDING JobArrayTaskLimit ", "4711_1 PENDING JobArrayTaskLimit ", "4711_2 PENDING BeginTime ");

        assertThat(status.reason()).hasValueSatisfying(why -> assertThat(why).startsWith("BeginTime"));
    }

    @Test
    void itRunsAsLongAsOneMemberLivesAndTellsHowFarItIs() throws Exception {
        JobStatus status = read("array-22.05.txt", "run", "2870_[0-5]");

        assertThat(status.state()).isEqualTo(JobState.RUNNING);
        assertThat(status.nodes()).containsExactly("gpu01");
        assertThat(status.reason()).contains("4 of 6 members have ended, 1 badly");
        assertThat(status.notices())
                .containsExactly(
                        "member 2 (exit code 3) of the array has failed; the others continue",
                        "4 of 6 members have ended");
    }

    @Test
    void theOneThatStartedLastIsNotTakenForTheWholeWhoseIdItHas() throws Exception {
        assertThat(read("array-22.05.txt", "run", "2870_[0-5]").state()).isEqualTo(JobState.RUNNING);
        assertThat(read("array-24.11.txt", "last", "100_[0-3]").ending()).contains(Ending.COMPLETED);
        assertThat(read("array-24.11.txt", "last", "100_[0-3]").exitCode()).hasValue(0);
    }

    @Test
    void aStaleRowOfTheArrayBesideItsMembersIsNotBelieved() throws Exception {
        JobStatus status = read("array-26.05.txt", "stale", "15_[0-5]");

        assertThat(status.state()).isEqualTo(JobState.ENDED);
        assertThat(status.ending()).contains(Ending.FAILED);
        assertThat(status.exitCode()).hasValue(137);
        assertThat(status.members()).contains("1 of 6 members failed: 4 (exit code 137).");
    }

    @Test
    void membersThatWereCancelledBeforeTheirStartHaveOneRowWithoutNames() throws Exception {
        JobStatus status = read("array-22.05.txt", "cancel", "3976_[0-5]");

        assertThat(status.ending()).contains(Ending.CANCELLED);
        assertThat(status.members())
                .hasValueSatisfying(text -> assertThat(text)
                        .startsWith(
                                "6 of 6 members failed: 0 (CANCELLED), 1 (CANCELLED), 2 (CANCELLED), 3 (CANCELLED)"));
    }

    @Test
    void aMemberThatSqueueForgotBeforeTheOthersIsReadFromAccountingAndItsNote() throws Exception {
        JobStatus status = fold(
                "4711_1 RUNNING None gpu01",
                "4711_2 RUNNING None gpu01",
                "past 4711_0 FAILED 9:0",
                "note 4711_0:run=0 start=1 end=2 code=137 by=command");

        assertThat(status.state()).isEqualTo(JobState.RUNNING);
        assertThat(status.notices()).contains("member 0 (exit code 137) of the array has failed; the others continue");
    }

    @Test
    void betweenTwoMembersItRunsAndSaysWhatTheNextOneWaitsFor() throws Exception {
        JobStatus status = fold(
                "4711_0 COMPLETED None gpu01", "4711_1 PENDING JobHeldUser ", "4711_2 PENDING JobHeldUser ", good(0));

        assertThat(status.state()).isEqualTo(JobState.RUNNING);
        assertThat(status.nativeState()).isEqualTo("RUNNING");
        assertThat(status.reason())
                .hasValueSatisfying(text ->
                        assertThat(text).contains("1 of 3 members have ended").contains("the next waits: JobHeldUser"));
    }

    @Test
    void withoutAnyAccountingTheNotesDecide() throws Exception {
        assertThat(fold(good(0), good(1), good(2)).exitCode()).hasValue(0);
        assertThat(fold(good(0), good(1), "note 4711_2:run=0 start=1 end=2 code=3 by=command")
                        .exitCode())
                .hasValue(3);
    }

    @Test
    void aMemberOfWhoseEndNothingTellsIsNoSuccessAndNoQuickVerdictEither() throws Exception {
        JobStatus status = fold(good(0), good(1));

        assertThat(status.ending()).contains(Ending.UNKNOWN);
        assertThat(status.exitCode()).isEmpty();
        assertThat(status.members()).contains("1 of 3 members failed: 2 (its end was not recorded).");
        assertThat(fold(good(0), "4711_1 NODE_FAIL None gpu02").ending()).contains(Ending.UNKNOWN);
        assertThat(fold("note 4711_0:run=0 start=1 end=2 code=3 by=command", good(1))
                        .exitCode())
                .isEmpty();
        assertThat(fold().nativeState()).isEqualTo("absent");
    }

    @Test
    void aGoodStateWithoutANoteIsNotYetASuccess() throws Exception {
        JobStatus status = fold(
                "4711_0 COMPLETED None gpu01",
                "4711_1 COMPLETED None gpu01",
                "4711_2 COMPLETED None gpu01",
                good(0),
                good(2));

        assertThat(status.ending()).contains(Ending.COMPLETED);
        assertThat(status.exitCode()).isEmpty();
        assertThat(status.members()).contains("1 of 3 members left no exit record: 1 (COMPLETED).");
    }

    @ParameterizedTest
    @CsvSource({
        "FAILED, NODE_FAIL, FAILED",
        "OUT_OF_MEMORY, NODE_FAIL, OUT_OF_MEMORY",
        "PREEMPTED, OUT_OF_MEMORY, OUT_OF_MEMORY",
        "TIMEOUT, PREEMPTED, TIME_LIMIT",
        "CANCELLED, NODE_FAIL, CANCELLED",
        "PREEMPTED, NODE_FAIL, NODE_FAILURE",
        "COMPLETED, NODE_FAIL, NODE_FAILURE",
        "COMPLETED, BOOT_FAIL, BOOT_FAILURE",
        "COMPLETED, PREEMPTED, PREEMPTED"
    })
    void machinesAreOnlyToBlameWhenNoProgramIs(String one, String other, Ending whole) throws Exception {
        JobStatus status = fold(
                "4711_0 " + one + " None gpu01",
                "4711_1 " + other + " None gpu02",
                "4711_2 COMPLETED None gpu03",
                good(2));

        assertThat(status.ending()).contains(whole);
    }

    @Test
    void theNodesOfMachinesThatFailedAreNamedAndNoOthers() throws Exception {
        JobStatus status = fold(
                "4711_0 COMPLETED None gpu01",
                "4711_1 NODE_FAIL None gpu02",
                "4711_2 COMPLETED None gpu03",
                good(0),
                good(2));

        assertThat(status.nodes()).containsExactly("gpu02");
        assertThat(status.members()).contains("1 of 3 members failed: 1 (NODE_FAIL on gpu02).");
    }

    @Test
    void aNodeThatFailsAfterTheCommandHasEndedWellTakesNothingBack() throws Exception {
        JobStatus status = fold(
                "4711_0 COMPLETED None gpu01",
                "4711_1 NODE_FAIL None gpu02",
                "4711_2 COMPLETED None gpu03",
                good(0),
                good(1),
                good(2));

        assertThat(status.ending()).contains(Ending.COMPLETED);
        assertThat(status.exitCode()).hasValue(0);
    }

    @Test
    @Promise("TR-02")
    void aZeroThatSrunAloneToldIsNoSuccessWhenTheNodeWasTakenAway() throws Exception {
        JobStatus old = fold(
                "4711_0 COMPLETED None gpu01",
                "4711_1 NODE_FAIL None gpu02",
                "4711_2 COMPLETED None gpu03",
                good(0),
                "note 4711_1:run=0 start=1 end=2 code=0 by=command",
                good(2));
        JobStatus lost = fold(
                "4711_0 COMPLETED None gpu01",
                "4711_1 NODE_FAIL None gpu02",
                "4711_2 COMPLETED None gpu03",
                good(0),
                "note 4711_1:run=0 start=1 end=2 code=0 ranks=1 rank=0 node=gpu02 by=lost",
                good(2));

        assertThat(old.ending()).contains(Ending.NODE_FAILURE);
        assertThat(lost.ending()).contains(Ending.NODE_FAILURE);
    }

    @Test
    @Promise("TR-80")
    void aMemberThatWasInterruptedAndEndedWithZeroHasFailed() throws Exception {
        JobStatus status = fold(
                "4711_0 COMPLETED None gpu01",
                "4711_1 COMPLETED None gpu02",
                "4711_2 COMPLETED None gpu03",
                good(0),
                "note 4711_1:run=0 start=1 end=2 code=0 ranks=1 rank=0 node=gpu02 by=TERM",
                good(2));

        assertThat(status.ending()).contains(Ending.FAILED);
        assertThat(status.members()).contains("1 of 3 members failed: 1 (INTERRUPTED).");
    }

    @Test
    void whatEarlierAttemptsCompletedCountsInTheWhole() throws Exception {
        JobStatus status = foldOf(
                "4890_[1]",
                "4890_1 COMPLETED None gpu01",
                good(0),
                good(2),
                "note 4711_1:run=0 start=1 end=2 code=143 by=TERM",
                "note 4890_1:run=0 start=3 end=4 code=0 ranks=1 by=command",
                "note 1-99_7:run=0 start=1 end=2 code=0 ranks=1 by=command");

        assertThat(status.members()).contains("All 3 members have completed.");
    }

    @Test
    void anIdThatIsAnotherJobsByNowTellsNothing() throws Exception {
        assertThat(read("array-22.05.txt", "other", "2870_[0-5]").nativeState()).isEqualTo("absent");
    }

    @ParameterizedTest
    @ValueSource(ints = {3, 16, 17, 1000, 5000})
    void manyMembersMakeFewTexts(int members) {
        JobHandle job = Sample.handle("a", "1_[0-" + (members - 1) + "]");
        ArrayId id = ArrayId.of(job).orElseThrow();
        java.util.Map<Integer, JobStatus> known = new java.util.TreeMap<>();
        Set<String> told = new java.util.TreeSet<>();
        for (int i = 0; i < members; i++) {
            known.put(i, JobStatus.live(JobState.RUNNING, "RUNNING"));
        }
        for (int i = 0; i < members; i += Math.max(1, members / 40)) {
            known.put(i, JobStatus.ended(Ending.FAILED, "FAILED").withExitCode(i % 200 + 1));
            for (int good = i + 1; good < Math.min(members, i + members / 40); good++) {
                known.put(good, JobStatus.ended(Ending.COMPLETED, "COMPLETED").withExitCode(0));
            }
            JobStatus status = MemberFold.of(id.array().members(), known, Set.of())
                    .status()
                    .orElseThrow();
            told.addAll(status.notices());
            assertThat(status.members().orElse("").length()).isLessThan(600);
        }

        assertThat(told).hasSizeLessThanOrEqualTo(16 + 12 + 1);
        assertThat(List.copyOf(told)).isNotEmpty();
    }
}
