package io.jenkins.plugins.tao.backend.lepton.request;

import static org.assertj.core.api.Assertions.assertThat;

import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.http.Json;
import io.jenkins.plugins.tao.job.Ending;
import io.jenkins.plugins.tao.job.JobState;
import io.jenkins.plugins.tao.job.JobStatus;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LeptonStateTest {
    private static JobStatus read(String status) {
        String job = "{\"metadata\":{\"id\":\"j\"},\"spec\":{\"completions\":2},\"status\":" + status + "}";
        return LeptonState.read(LeptonJob.read(Json.parse(job).orElseThrow()).orElseThrow());
    }

    private static JobStatus state(String word) {
        return read("{\"state\":\"" + word + "\"}");
    }

    @ParameterizedTest
    @CsvSource({
        "'', PENDING",
        "Queueing, PENDING",
        "Awaiting, PENDING",
        "Starting, PENDING",
        "Running, RUNNING",
        "Restarting, RUNNING",
        "PendingRetry, RUNNING",
        "Stopping, RUNNING",
        "Terminating, RUNNING",
        "Deleting, RUNNING",
        "Completed, ENDED",
        "Failed, ENDED",
        "Stopped, ENDED",
        "Deleted, ENDED",
        "Archived, ENDED",
        "UNK, UNCLEAR",
        "Hibernating, UNCLEAR"
    })
    @Promise("LE-36")
    void everyStateHasAMeaning(String word, JobState state) {
        assertThat(state(word).state()).isEqualTo(state);
        assertThat(state(word).nativeState()).isEqualTo(word);
    }

    @ParameterizedTest
    @CsvSource({
        "Completed, COMPLETED",
        "Failed, FAILED",
        "Stopped, CANCELLED",
        "Deleted, CANCELLED",
        "Archived, UNKNOWN"
    })
    @Promise("LE-36")
    void everyEndHasOneToo(String word, Ending ending) {
        assertThat(state(word).ending()).contains(ending);
    }

    @ParameterizedTest
    @CsvSource({"2, 0, COMPLETED", "1, 1, FAILED", "0, 1, FAILED", "1, 0, UNKNOWN"})
    void anArchivedJobIsJudgedByItsWorkers(int succeeded, int failed, Ending ending) {
        JobStatus status = read("{\"state\":\"Archived\",\"succeeded\":" + succeeded + ",\"failed\":" + failed + "}");

        assertThat(status.ending()).contains(ending);
    }

    @ParameterizedTest
    @CsvSource({"0, PENDING, 0 of 2 workers are ready", "1, RUNNING, 1 of 2 workers are ready"})
    void workersThatAreNotReadyAreTheReason(int ready, JobState state, String reason) {
        JobStatus status = read("{\"state\":\"Running\",\"active\":2,\"ready\":" + ready + "}");

        assertThat(status.state()).isEqualTo(state);
        assertThat(status.reason()).contains(reason);
    }

    @Test
    void aJobThatHasRunNeverWaitsForTheFirstTimeAgain() {
        for (String word : List.of("Starting", "Running", "Restarting", "PendingRetry", "Stopping")) {
            JobStatus status = read("{\"state\":\"" + word + "\",\"active\":2,\"ready\":0,\"job_history\":[{}]}");
            assertThat(status.state()).as(word).isEqualTo(JobState.RUNNING);
        }
    }

    @ParameterizedTest
    @CsvSource({"1767225600", "1767225600000", "1767225600000000", "1767225600000000000"})
    void timesAreReadInWhateverUnitTheyCome(String number) {
        JobStatus status = read("{\"state\":\"Completed\",\"completion_time\":" + number + "}");

        assertThat(status.endedAt()).isEqualTo(Optional.of(Instant.ofEpochSecond(1_767_225_600)));
    }

    @Test
    void anAnswerWithLessThanExpectedIsRead() throws Exception {
        assertThat(LeptonJob.readAll(
                        Json.parse("[{\"metadata\":{\"id\":\"a\"}},{},7,null]").orElseThrow()))
                .extracting(LeptonJob::id)
                .containsExactly("a");
        assertThat(LeptonJob.readAll(Json.parse("{\"jobs\":[{\"metadata\":{\"id\":\"b\"}}],\"total\":1}")
                        .orElseThrow()))
                .hasSize(1);
    }
}
