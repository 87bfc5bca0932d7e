package io.jenkins.plugins.tao.job.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.backend.Diagnosis;
import io.jenkins.plugins.tao.backend.Report;
import io.jenkins.plugins.tao.job.Ending;
import io.jenkins.plugins.tao.job.JobStatus;
import io.jenkins.plugins.tao.job.Outcome;
import io.jenkins.plugins.tao.job.Resources;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

/** What no text for a person holds. */
class CleanTextsTest {
    @Test
    @Promise("TR-75")
    void twoFullStopsBecomeOneAndAnEllipsisAndAPathStay() {
        assertThat(Sentences.clean("It failed: no route.. Wait..")).isEqualTo("It failed: no route. Wait.");
        assertThat(Sentences.clean("wait... then cd .. and ../x")).isEqualTo("wait... then cd .. and ../x");
        assertThat(new BackendException.Rejected("No.. Way..", "Use another..").explain())
                .isEqualTo("No. Way. Use another.");
        assertThat(Report.Check.failed("x", "gone..", "Mend it..").detail()).isEqualTo("gone.");
        assertThat(new Diagnosis("gone..", "Mend it..", List.of()).remedy()).isEqualTo("Mend it.");
    }

    @Test
    @Promise("TR-75")
    void aLengthOfTimeIsWrittenAsPeopleWriteIt() {
        assertThatThrownBy(() ->
                        new Resources(1, OptionalInt.empty(), OptionalInt.empty(), Optional.of(Duration.ofSeconds(6))))
                .hasMessage("the time limit must be at least one minute, was 6s");
    }

    @Test
    @Promise("TR-75")
    void aTimeHasNoFractionsOfASecond() {
        assertThat(new Outcome.Lost(Instant.parse("2026-11-22T08:00:14.797097462Z")).lastSeen())
                .hasToString("2026-11-22T08:00:14Z");
    }

    @Test
    @Promise("TR-75")
    void theTimeZeroIsNoStartAndNoEnd() {
        JobStatus status = JobStatus.ended(Ending.CANCELLED, "CANCELLED")
                .withTimes(Optional.of(Instant.EPOCH), Optional.of(Instant.EPOCH));

        assertThat(status.startedAt()).isEmpty();
        assertThat(status.endedAt()).isEmpty();
    }
}
