package io.jenkins.plugins.tao.monitor;

import static org.assertj.core.api.Assertions.assertThat;

import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.backend.Stream;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.JobStatus;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Trainings and their time limits. */
class ForecastSimulationTest extends Simulation {
    private static final Duration LIMIT = Duration.ofHours(10);

    private JobHandle started() {
        JobHandle job = SimulatedCluster.handle(1, ticker.now()).withTimeLimit(Optional.of(LIMIT));
        cluster.set(job, running());
        return job;
    }

    private JobStatus running() {
        return RUNNING.withTimes(Optional.of(ticker.now()), Optional.empty());
    }

    private void epoch(JobHandle job, int epoch, Duration took) {
        ticker.advance(took);
        cluster.write(
                job,
                Stream.STATUS,
                "{\"epoch\": " + epoch + ", \"max_epoch\": 49, \"status\": \"RUNNING\", \"message\": \"Training loop in"
                        + " progress\"}\n");
        ticker.advance(Duration.ofSeconds(30));
    }

    private List<String> warnings() {
        return told(JobEvent.Notice.class).stream()
                .map(JobEvent.Notice::text)
                .filter(text -> text.startsWith("At its pace"))
                .toList();
    }

    @Test
    @Promise("NV-29")
    void aTrainingThatIsTooSlowForItsTimeLimitIsReportedHoursAhead() {
        JobHandle job = started();
        watch(job);

        for (int epoch = 0; epoch < 6; epoch++) {
            epoch(job, epoch, Duration.ofMinutes(15));
        }

        // fifty epochs of fifteen and a half minutes are 12.9 hours; an hour and a half has gone by
        assertThat(warnings())
                .singleElement()
                .asString()
                .contains("needs until 2026-11-21 12:5", "its time limit ends it at 2026-11-21 10:00 UTC")
                .contains("after 77 % of its work (about 38 of 50 epochs)");
    }

    @Test
    @Promise("NV-29")
    void aTrainingThatComesToItsEndInTimeIsNot() {
        JobHandle job = started();
        watch(job);

        for (int epoch = 0; epoch < 40; epoch++) {
            epoch(job, epoch, Duration.ofMinutes(11));
        }

        assertThat(warnings()).isEmpty();
    }

    @Test
    @Promise("NV-29")
    void aSlowDownIsSeenThoughTheTrainingWasFastBefore() {
        JobHandle job = started();
        watch(job);

        for (int epoch = 0; epoch < 10; epoch++) {
            epoch(job, epoch, Duration.ofMinutes(9));
        }
        assertThat(warnings()).isEmpty();
        for (int epoch = 10; epoch < 20; epoch++) {
            epoch(job, epoch, Duration.ofMinutes(25));
        }

        assertThat(warnings()).hasSize(1);
    }

    /** All epochs so far are read at once: that is not the pace of the training. */
    @Test
    @Promise("NV-29")
    void aWatchThatIsTakenUpAgainWaitsUntilItHasSeenThePace() {
        JobHandle job = started();
        for (int epoch = 0; epoch < 20; epoch++) {
            epoch(job, epoch, Duration.ofMinutes(11));
        }
        watch(job);
        ticker.advance(Duration.ofMinutes(5));
        assertThat(warnings()).isEmpty();

        for (int epoch = 20; epoch < 24; epoch++) {
            epoch(job, epoch, Duration.ofMinutes(11));
        }

        assertThat(warnings()).isEmpty();
    }

    @Test
    void withoutATimeLimitThereIsNothingToForesee() {
        JobHandle job = SimulatedCluster.handle(1, ticker.now());
        cluster.set(job, running());
        watch(job);

        for (int epoch = 0; epoch < 6; epoch++) {
            epoch(job, epoch, Duration.ofHours(5));
        }

        assertThat(warnings()).isEmpty();
    }
}
