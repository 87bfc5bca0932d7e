package io.jenkins.plugins.tao.placing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.file.AccountsFile;
import io.jenkins.plugins.tao.file.ValueReader;
import io.jenkins.plugins.tao.job.Ending;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.JobKey;
import io.jenkins.plugins.tao.job.JobState;
import io.jenkins.plugins.tao.job.JobStatus;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whose turn it is on a target with limits. */
class TurnListTest {
    private static final JobStatus RUNS = JobStatus.live(JobState.RUNNING, "RUNNING");
    private static final JobStatus ENDED = JobStatus.ended(Ending.COMPLETED, "COMPLETED");

    @TempDir
    Path directory;

    private Instant now = Instant.parse("2026-11-23T22:00:00Z");
    private final Map<JobHandle, JobStatus> there = new HashMap<>();

    private static Limit limit(String jobs, String gpus, String rate) {
        return read("{target: dgx, jobs: " + jobs + ", gpus: " + gpus + ", rate: " + rate + "}")
                .get(0);
    }

    private static List<Limit> read(String entries) {
        return AccountsFile.of(ValueReader.parse("targets.yaml", "limits: [" + entries + "]"))
                .limits();
    }

    private static Limits limits(Limit... each) {
        return new Limits("dgx", List.of(each));
    }

    private static JobHandle job(String key) {
        return new JobHandle("dgx", "slurm", new JobKey(key), 1, key, "/j", "/r", Instant.EPOCH);
    }

    /** As a process does: each asks the files anew, as after a restart. */
    private Turn ask(Limit limit, String key, int gpus) {
        return new Turns(directory).ask(limits(limit), new Ask(key, gpus, ""), now, this::look);
    }

    private Map<JobHandle, JobStatus> look(Set<JobHandle> jobs) {
        Map<JobHandle, JobStatus> seen = new HashMap<>(there);
        seen.keySet().retainAll(jobs);
        return seen;
    }

    private void runs(String key) {
        there.put(job(key), RUNS);
        new Turns(directory).taken("dgx", key, job(key));
    }

    @Test
    @Promise("NS-14")
    void moreThanTheLimitQueuesInTheOrderOfAskingWithThePlaceShown() {
        Limit limit = limit("", "8", "");
        assertThat(ask(limit, "a", 8).granted()).isTrue();
        runs("a");

        assertThat(ask(limit, "b", 8).why())
                .isEqualTo("1st in the queue of target dgx: 8 of 8 GPUs in use, and this job asks for 8");
        assertThat(ask(limit, "c", 1).why()).isEqualTo("2nd in the queue of target dgx: 8 of 8 GPUs in use");
        assertThat(ask(limit, "d", 1).why()).startsWith("3rd in the queue of target dgx: 8 of 8 GPUs in use");

        there.put(job("a"), ENDED);
        assertThat(ask(limit, "d", 1).granted()).as("d passes nobody").isFalse();
        assertThat(ask(limit, "c", 1).granted())
                .as("nor does c, though it is small")
                .isFalse();
        assertThat(ask(limit, "b", 8).granted()).isTrue();
    }

    @Test
    @Promise("NS-14")
    void whoAsksAgainKeepsItsTurnAndItsPlace() {
        Limit limit = limit("1", "", "");
        assertThat(ask(limit, "a", 1).granted()).isTrue();
        assertThat(ask(limit, "a", 1).granted())
                .as("a process that was killed before it sent")
                .isTrue();
        Instant first = now;
        assertThat(ask(limit, "b", 1).since()).isEqualTo(first);
        now = now.plusSeconds(60);

        assertThat(ask(limit, "b", 1).since()).isEqualTo(first);
    }

    @Test
    @Promise("NS-14")
    void silenceFreesNoPlace() {
        Limit limit = limit("1", "", "");
        ask(limit, "a", 1);
        runs("a");
        now = now.plus(Duration.ofHours(30));

        Turn turn = new Turns(directory).ask(limits(limit), new Ask("b", 1, ""), now, jobs -> {
            throw new BackendException.Unreachable("dgx is silent.", "Wait.");
        });

        assertThat(turn.granted()).isFalse();
        assertThat(turn.why()).contains("1 of 1 jobs there");
    }

    @Test
    @Promise("NS-14")
    void aJobThatItsTargetDoesNotKnowCountsForTenMinutes() {
        Limit limit = limit("1", "", "");
        ask(limit, "a", 1);
        runs("a");
        there.clear();

        assertThat(ask(limit, "b", 1).granted()).isFalse();
        now = now.plus(Duration.ofMinutes(9));
        assertThat(ask(limit, "b", 1).granted()).isFalse();
        now = now.plus(Duration.ofMinutes(1));
        assertThat(ask(limit, "b", 1).granted()).isTrue();
    }

    @Test
    @Promise("NS-14")
    void aPlaceWhoseProgramIsGoneIsPassedAndIsThereWhenItComesBack() {
        Limit limit = limit("1", "", "");
        ask(limit, "a", 1);
        runs("a");
        ask(limit, "b", 1);
        now = now.plus(TurnList.QUIET);

        assertThat(ask(limit, "c", 1).why()).startsWith("1st");
        assertThat(ask(limit, "b", 1).why()).startsWith("1st");
        assertThat(ask(limit, "c", 1).why()).startsWith("2nd");
    }

    @Test
    @Promise("NS-14")
    void aJobLargerThanTheLimitGoesAlone() {
        Limit limit = limit("", "4", "");

        assertThat(ask(limit, "a", 16).granted()).isTrue();
        runs("a");
        assertThat(ask(limit, "b", 1).granted()).isFalse();
    }

    @Test
    @Promise("NS-15")
    void noMoreThanTheRateAreSent() {
        Limit limit = limit("", "", "2/m");
        assertThat(ask(limit, "a", 1).granted()).isTrue();
        now = now.plusSeconds(20);
        assertThat(ask(limit, "b", 1).granted()).isTrue();

        assertThat(ask(limit, "c", 1).why()).isEqualTo("1st in the queue of target dgx: no more than 2 in 1m are sent");
        now = now.plusSeconds(39);
        assertThat(ask(limit, "c", 1).granted()).isFalse();
        now = now.plusSeconds(1);
        assertThat(ask(limit, "c", 1).granted()).isTrue();
        assertThat(ask(limit, "d", 1).granted()).as("b counts still").isFalse();
    }

    private Turn ask(Limits limits, String key, String folder) {
        return new Turns(directory).ask(limits, new Ask(key, 1, folder), now, this::look);
    }

    @Test
    @Promise("NS-14")
    void aFolderThatHasItsShareWaitsAndOthersPassIt() {
        Limits limits = Limits.of(
                "dgx",
                read("{target: dgx, jobs: 3}, {target: dgx, folder: vision/, jobs: 1}, {target: other, jobs: 1}"));
        assertThat(ask(limits, "a", "vision/nightly").granted()).isTrue();
        runs("a");

        assertThat(ask(limits, "b", "vision").why())
                .isEqualTo("1st in the queue of target dgx: folder vision: 1 of 1 jobs there");
        assertThat(ask(limits, "c", "visions").granted())
                .as("the name of another folder that begins alike")
                .isTrue();
        assertThat(ask(limits, "d", "").granted()).isTrue();
        assertThat(ask(limits, "e", "speech").why())
                .as("the target is full for all")
                .contains("3 of 3 jobs there");
        there.put(job("a"), ENDED);
        assertThat(ask(limits, "b", "vision").granted()).isTrue();
    }

    @Test
    @Promise("NS-14")
    void aListThatAnEarlierVersionKeptHasJobsInNoFolder() {
        TurnList list = TurnList.parse("{\"held\":[{\"key\":\"a\",\"gpus\":1,\"token\":\"\",\"at\":1,\"missing\":0}],"
                + "\"waiting\":[{\"key\":\"b\",\"gpus\":1,\"since\":1,\"seen\":1}],\"sent\":[1]}");

        assertThat(list.held())
                .singleElement()
                .extracting(TurnList.Held::folder)
                .isEqualTo("");
        assertThat(list.waiting())
                .singleElement()
                .extracting(TurnList.Asker::folder)
                .isEqualTo("");
    }

    @Test
    @Promise("NS-14")
    void aFolderHasNoRateAndOneLimit() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> read("{target: dgx, folder: a, rate: 1/m}"))
                .withMessageContaining("the limit of folder 'a' may have 'jobs' and 'gpus'");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> read("{target: dgx, folder: a, jobs: 1}, {target: dgx, folder: /a, jobs: 2}"))
                .withMessageContaining("keep one");
    }
}
