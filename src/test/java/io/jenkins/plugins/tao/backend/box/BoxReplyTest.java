package io.jenkins.plugins.tao.backend.box;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.backend.box.options.BoxUsual;
import io.jenkins.plugins.tao.backend.box.options.LocalTarget;
import io.jenkins.plugins.tao.job.Ending;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.JobKey;
import io.jenkins.plugins.tao.job.JobState;
import io.jenkins.plugins.tao.job.JobStatus;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class BoxReplyTest {
    private static final BoxPlace PLACE = BoxPlace.of(new LocalTarget("here", "/tao", BoxUsual.SETTINGS));
    private static final JobHandle JOB =
            new JobHandle("here", "local", new JobKey("k"), 1, "k.1", "/tao/jobs/k", "/r", Instant.ofEpochSecond(100));

    private static JobStatus read(String lines) throws BackendException {
        return Objects.requireNonNull(
                BoxReply.poll(PLACE, "room 99999999 99999999\n" + lines + "poll-end\n", List.of(JOB))
                        .get(JOB));
    }

    @Test
    void aQueuedJobWaitsWithItsReason() throws Exception {
        JobStatus status = read("job 0 alive 100 - - - - - QUEUED for 2 free GPUs; GPU 0: job x\n");

        assertThat(status.state()).isEqualTo(JobState.PENDING);
        assertThat(status.reason()).hasValue("for 2 free GPUs; GPU 0: job x");
        assertThat(status.runs()).isZero();
    }

    @Test
    void aRunningJobNamesItsGpusAndItsStart() throws Exception {
        JobStatus status = read("job 0 alive 100 130 - - - 0,1 RUNNING\n");

        assertThat(status.nativeState()).isEqualTo("RUNNING");
        assertThat(status.reason()).hasValue("GPU 0,1");
        assertThat(status.startedAt()).hasValue(Instant.ofEpochSecond(130));
        assertThat(status.nodes()).containsExactly("here");
    }

    @Test
    void aRecordedExitCodeIsTheEndWhateverElseIsSaid() throws Exception {
        assertThat(read("job 0 alive 100 130 0 140 - 0 RUNNING\n").ending()).hasValue(Ending.COMPLETED);
        assertThat(read("job 0 gone 100 130 3 140 - - RUNNING\n").exitCode()).hasValue(3);
        assertThat(read("job 0 gone 100 130 143 140 ,cancel - RUNNING\n").ending())
                .hasValue(Ending.CANCELLED);
        assertThat(read("job 0 gone 100 130 143 140 ,time-limit - RUNNING\n").ending())
                .hasValue(Ending.TIME_LIMIT);
    }

    @Test
    void aStageOfALaterVersionKeepsTheJobWatched() throws Exception {
        assertThat(read("job 0 alive 100 - - - - - DREAMING of sheep\n").state())
                .isEqualTo(JobState.PENDING);
        assertThat(read("fact 7 unknown\njob 0 staged - - - - - - -\nwhatever\n")
                        .state())
                .isEqualTo(JobState.PENDING);
    }

    @Test
    void anAnswerThatBreaksOffEndsNoJob() {
        assertThatThrownBy(() -> BoxReply.poll(PLACE, "job 0 gone 100 130 3 140 - - RUNNING\n", List.of(JOB)))
                .isInstanceOf(BackendException.Unreadable.class);
    }
}
