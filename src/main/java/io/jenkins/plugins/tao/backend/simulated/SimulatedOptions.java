package io.jenkins.plugins.tao.backend.simulated;

import static io.jenkins.plugins.tao.job.Require.require;

import io.jenkins.plugins.tao.job.JobOptions;
import io.jenkins.plugins.tao.job.text.OnePerLine;
import io.jenkins.plugins.tao.job.text.Option;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * What a simulated target does for a job. The speed of the target divides all times.
 *
 * @param seed the seed of the random numbers, used with the job's name: the same seed gives the same run again
 * @param queue how long it waits for machines, give or take a fifth
 * @param epochs how many it trains, 1 to 10,000
 * @param epochTime how long one takes, give or take some percent
 * @param kpis the metrics of validation and what each comes to in the last epoch
 * @param noise the standard deviation of a metric between runs, as a part of its value, 0 to 1
 * @param throughput a metric {@code throughput}, which falls as epochs take longer
 * @param log lines that the job prints when it starts
 * @param failure what goes wrong
 */
public record SimulatedOptions(
        @Option(defaultsTo = "a random seed") OptionalLong seed,
        @Option(defaultsTo = "2 seconds") Optional<Duration> queue,

        @Option(defaultsTo = "`train.num_epochs` of the spec, else 5")
        OptionalInt epochs,

        @Option(defaultsTo = "1 second") Optional<Duration> epochTime,
        @Option(defaultsTo = "`val_mAP` and `val_loss`") Map<String, Double> kpis,
        @Option(defaultsTo = "0.005") OptionalDouble noise,
        @Option(defaultsTo = "none") OptionalDouble throughput,
        @OnePerLine List<String> log,
        PlannedFailure failure)
        implements JobOptions {
    private static final int MOST_EPOCHS = 10_000;
    private static final int MOST_KPIS = 100;
    private static final int MOST_LINES = 10_000;

    public SimulatedOptions {
        epochs.ifPresent(
                count -> require(count >= 1 && count <= MOST_EPOCHS, "epochs must be from 1 to 10000, was %d", count));
        queue.ifPresent(time -> require(!time.isNegative(), "queue must not be negative, was %s", time));
        epochTime.ifPresent(time -> require(!time.isNegative(), "epochTime must not be negative, was %s", time));
        noise.ifPresent(part -> require(part >= 0 && part <= 1, "noise must be from 0 to 1, was %s", part));
        throughput.ifPresent(value -> require(value > 0, "throughput must be positive, was %s", value));
        require(kpis.size() <= MOST_KPIS, "kpis must not name more than 100 metrics, were %d", kpis.size());
        kpis.forEach((name, value) -> require(
                !name.isBlank() && Double.isFinite(value), "kpis: '%s' must be a finite number, was %s", name, value));
        require(log.size() <= MOST_LINES, "log must not hold more than 10000 lines, were %d", log.size());
        log.forEach(line -> require(line.indexOf('\n') < 0, "log: each entry must be one line"));
        kpis = Collections.unmodifiableMap(new LinkedHashMap<>(kpis));
        log = List.copyOf(log);
    }

    /** Everything as usual, and nothing goes wrong. */
    public static SimulatedOptions defaults() {
        return new SimulatedOptions(
                OptionalLong.empty(),
                Optional.empty(),
                OptionalInt.empty(),
                Optional.empty(),
                Map.of(),
                OptionalDouble.empty(),
                OptionalDouble.empty(),
                List.of(),
                PlannedFailure.none());
    }
}
