package io.jenkins.plugins.tao.backend.simulated;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.backend.Stream;
import io.jenkins.plugins.tao.job.Durations;
import io.jenkins.plugins.tao.job.Ending;
import io.jenkins.plugins.tao.job.JobKey;
import io.jenkins.plugins.tao.job.JobSpec;
import io.jenkins.plugins.tao.job.JobState;
import io.jenkins.plugins.tao.job.Progress;
import io.jenkins.plugins.tao.job.Resources;
import io.jenkins.plugins.tao.status.StatusReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is played, as a pure function. */
class PlayTest {
    private static final Instant NIGHT = Instant.parse("2026-11-22T22:00:00Z");
    private static final Instant MORNING = NIGHT.plus(Duration.ofHours(9));

    private static SimulatedOptions options(long seed, PlannedFailure failure) {
        return new SimulatedOptions(
                OptionalLong.of(seed),
                Optional.of(Duration.ofSeconds(10)),
                OptionalInt.of(8),
                Optional.of(Duration.ofSeconds(20)),
                Map.of("val_mAP", 0.42),
                OptionalDouble.of(0.01),
                OptionalDouble.of(120),
                List.of("hello"),
                failure);
    }

    private static PlayRequest request(String key, SimulatedOptions options, Resources resources) {
        JobSpec spec = JobSpec.of("dino train -e {config_path}")
                .options(options)
                .resources(resources)
                .build();
        return PlayRequest.of(Planned.target("night", "/sim"), spec, new JobKey(key));
    }

    private static Play play(String key, SimulatedOptions options) {
        return play(request(key, options, Resources.defaults()));
    }

    private static Play play(PlayRequest request) {
        return Play.all(request, List.of(new PlayAttempt(1, NIGHT, List.of(), Optional.empty())))
                .get(0);
    }

    private static Progress progress(Play play, Instant at) {
        StatusReader reader = new StatusReader();
        reader.feed(play.text(Stream.STATUS, at).getBytes(StandardCharsets.UTF_8));
        return reader.progress();
    }

    @Test
    @Promise("NV-34")
    void theSameSeedPlaysTheSameNight() {
        Play one = play("dino-0123456789ab", options(7, PlannedFailure.none()));
        Play same = play("dino-ba9876543210", options(7, PlannedFailure.none()));
        Play other = play("dino-0123456789ab", options(8, PlannedFailure.none()));
        Play neighbour = play("rtdetr-0123456789ab", options(7, PlannedFailure.none()));

        assertThat(same).isEqualTo(one);
        assertThat(other.moments()).isNotEqualTo(one.moments());
        assertThat(neighbour.moments()).isNotEqualTo(one.moments());
    }

    @Test
    void aSeedOfTheTargetIsNamedAsSuch() {
        assertThat(play(request("dino-0123456789ab", SimulatedOptions.defaults(), Resources.defaults()))
                        .text(Stream.OUT, MORNING))
                .contains(", attempt 1, seed 1 of the target, with the job's id\n");
    }

    @Test
    @Promise("NV-34")
    void aJobWaitsStartsAndTellsOfEachEpochInTaosWords() {
        Play play = play("dino-0123456789ab", options(7, PlannedFailure.none()));

        assertThat(play.status(NIGHT).state()).isEqualTo(JobState.PENDING);
        assertThat(play.status(NIGHT).reason()).hasValue("a simulated wait in the queue (option queue)");
        assertThat(play.status(NIGHT).outlook().start()).hasValue(NIGHT.plusSeconds(10));
        Instant start = play.startsAt().orElseThrow();
        assertThat(Duration.between(NIGHT, start)).isBetween(Duration.ofSeconds(5), Duration.ofSeconds(19));
        assertThat(play.status(start).state()).isEqualTo(JobState.RUNNING);
        assertThat(progress(play, start.plusSeconds(50)).epoch()).hasValue(1);
        assertThat(progress(play, start.plusSeconds(50)).fraction()).hasValue(0.25);
        assertThat(play.status(MORNING).exitCode()).hasValue(0);
        assertThat(play.text(Stream.OUT, MORNING))
                .contains(", attempt 1, seed 7\n", "hello\n", "Epoch 8/8: train_loss ", ", throughput 1");
        List<String> lines = play.text(Stream.STATUS, MORNING).lines().toList();
        assertThat(lines.get(0))
                .matches(
                        "\\{\"date\":\"11/22/2026\",\"time\":\"22:0:\\d+\",\"status\":\"STARTED\",\"verbosity\":\"INFO\",\"message\":\"Starting"
                                + " DINO train.\"}");
        assertThat(lines.get(3))
                .matches(
                        "\\{\"epoch\":0,\"step\":50,\"max_epoch\":7,\"max_step\":400,\"time_per_epoch\":\"0:00:\\d\\d.\\d{6}\",.*\"eta\":\"0:02:\\d\\d.\\d{6}\",.*\"message\":\"Training"
                                + " loop in progress\",\"kpi\":\\{\"val_mAP\":.*");
        StatusReader reader = new StatusReader();
        reader.feed(play.text(Stream.STATUS, MORNING).getBytes(StandardCharsets.UTF_8));
        assertThat(reader.saysWorkDone()).isTrue();
    }

    @Test
    @Promise("NV-34")
    void metricsComeNearWhatWasAskedForAndDifferBetweenSeeds() {
        double sum = 0;
        double squares = 0;
        for (int seed = 0; seed < 200; seed++) {
            double last = progress(play("dino-0123456789ab", options(seed, PlannedFailure.none())), MORNING)
                    .kpis()
                    .getOrDefault("val_mAP", Double.NaN);
            sum += last;
            squares += (last - 0.42) * (last - 0.42);
        }

        assertThat(sum / 200).isCloseTo(0.42, within(0.002));
        // one percent between runs, and half of it between epochs
        assertThat(Math.sqrt(squares / 200) / 0.42).isBetween(0.009, 0.014);
    }

    @ParameterizedTest
    @Promise("NV-34")
    @CsvSource({
        "EXIT, FAILED, FAILED, 3, Execution status: FAIL",
        "GPU_MEMORY, FAILED, FAILED, 1, CUDA out of memory",
        "OUT_OF_MEMORY, OUT_OF_MEMORY, OUT_OF_MEMORY, 137, Epoch 2/8",
        "NODE_LOST, NODE_FAILURE, NODE_FAIL, , Epoch 2/8",
        "PREEMPTED, PREEMPTED, PREEMPTED, , Epoch 2/8",
        "TIME_LIMIT, TIME_LIMIT, TIMEOUT, , Epoch 2/8",
        "NAN, COMPLETED, COMPLETED, 0, train_loss NaN",
        "SLOW_DOWN, COMPLETED, COMPLETED, 0, throughput 4"
    })
    void whatWasPlannedHappens(PlannedFailure.Kind kind, Ending ending, String word, Integer exitCode, String log) {
        PlannedFailure failure = Planned.failure(kind)
                .withFailAt(OptionalInt.of(2))
                .withExitCode(OptionalInt.of(3))
                .withSlowDown(OptionalDouble.of(3));

        Play play = play("dino-0123456789ab", options(7, failure));

        assertThat(play.status(MORNING).ending()).hasValue(ending);
        assertThat(play.status(MORNING).nativeState()).isEqualTo(word);
        assertThat(play.status(MORNING).exitCode())
                .isEqualTo(exitCode == null ? OptionalInt.empty() : OptionalInt.of(exitCode));
        assertThat(play.text(Stream.OUT, MORNING)).contains(log).contains("Epoch 2/8");
        assertThat(play.epochsDone(MORNING)).hasSize(ending == Ending.COMPLETED ? 8 : 2);
    }

    @Test
    @Promise("NV-34")
    void notANumberIsWrittenBareAsTaoDoes() {
        Play play = play(
                "dino-0123456789ab",
                options(7, Planned.failure(PlannedFailure.Kind.NAN).withFailAt(OptionalInt.of(6))));

        assertThat(play.text(Stream.STATUS, MORNING)).contains("\"kpi\":{\"val_mAP\":NaN}");
        assertThat(progress(play, MORNING).kpis().get("val_mAP")).isNaN();
    }

    @Test
    @Promise("NV-34")
    void oneThatStallsRunsOnAndWritesNothingAndOneThatNeverStartsWaits() {
        Play stalled = play("dino-0123456789ab", options(7, Planned.failure(PlannedFailure.Kind.STALL)));
        Play waiting = play("dino-0123456789ab", options(7, Planned.failure(PlannedFailure.Kind.NEVER_STARTS)));

        assertThat(stalled.status(MORNING).state()).isEqualTo(JobState.RUNNING);
        assertThat(stalled.text(Stream.OUT, MORNING)).isEqualTo(stalled.text(Stream.OUT, NIGHT.plusSeconds(200)));
        assertThat(waiting.status(MORNING).state()).isEqualTo(JobState.PENDING);
        assertThat(waiting.status(MORNING).reason()).hasValue("Resources: every node is taken");
    }

    @Test
    void theTimeLimitEndsWhatTakesLonger() {
        Resources minute = new Resources(1, OptionalInt.empty(), OptionalInt.empty(), Durations.parse("1m"));

        Play play = play(request("dino-0123456789ab", options(7, PlannedFailure.none()), minute));

        assertThat(play.status(MORNING).ending()).hasValue(Ending.TIME_LIMIT);
        assertThat(play.status(MORNING).endedAt()).isEqualTo(play.startsAt().map(start -> start.plusSeconds(60)));
        assertThat(play.epochsDone(MORNING)).hasSizeBetween(2, 3);
    }

    @Test
    void moreNodesThanThereAreNeverStart() {
        Resources many = new Resources(5, OptionalInt.empty(), OptionalInt.empty(), Optional.empty());

        Play play = play(request("dino-0123456789ab", options(7, PlannedFailure.none()), many));

        assertThat(play.status(MORNING).outlook().never()).isTrue();
    }

    @Test
    void anEvaluationTellsItsMetricsOnceAndOneCommandOfManyLinesIsUnderstood() {
        JobSpec spec = JobSpec.of("set -e\nvisual_changenet evaluate -e {config_path}")
                .options(options(1, PlannedFailure.none()))
                .build();

        Play play = play(PlayRequest.of(Planned.target("night", "/sim"), spec, new JobKey("k")));

        assertThat(play.text(Stream.STATUS, MORNING))
                .contains(
                        "Starting VISUAL_CHANGENET evaluate.",
                        "Test metrics generated.",
                        "Evaluate finished successfully.")
                .doesNotContain("\"epoch\"");
    }

    @Test
    void allTimesAreDividedBySpeed() {
        SimulatedTarget fast = new SimulatedTarget(
                "night", "/sim", OptionalDouble.of(100), OptionalInt.empty(), OptionalLong.empty(), Optional.empty());
        JobSpec spec =
                JobSpec.of("x").options(options(7, PlannedFailure.none())).build();

        Play play = play(PlayRequest.of(fast, spec, new JobKey("dino-0123456789ab")));

        assertThat(Duration.between(NIGHT, play.end().orElseThrow().at()))
                .isBetween(Duration.ofMillis(1500), Duration.ofMillis(2000));
    }
}
