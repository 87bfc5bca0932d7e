package io.jenkins.plugins.tao.gate.statistics;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * Centre and spread of the newest runs of a level, and how far a run may fall below them. All values are on the scale of
 * comparison: more is better.
 *
 * @param runs how many runs it is made of, before outliers were dropped
 * @param mean the mean of the runs that were kept
 * @param deviation their standard deviation; 0 for one run
 * @param scale the expected standard deviation of one run: {@code deviation}, pooled with the noise of replicates or with the kept
 *     spread
 * @param k how many times {@code scale} a good run falls below the mean once in 200 runs
 * @param weight the degrees of freedom of {@code scale} for a level after this one
 * @param minDrop the smallest drop that matters
 * @param replicates the replicates of the sample that is compared
 * @param farthest how far a run of the level was from the mean at most
 */
public record BaselineStatistics(
        int runs,
        double mean,
        double deviation,
        double scale,
        double k,
        int weight,
        double minDrop,
        int replicates,
        double farthest) {
    /** How many runs the baseline has at most. */
    public static final int WINDOW = 20;
    /** How many runs are needed where no spread is known. */
    public static final int LEAST = 2;
    /** From this many runs on, outliers are dropped. */
    private static final int CLEANED_FROM = 8;

    private static final double OUTLIER = 5;
    private static final int NOISE_WEIGHT = 6;
    private static final double POWER_80 = 0.84;
    /** This many deviations below the mean a run is red at once: four times the limit of 20 runs. */
    private static final double AT_ONCE = 12;
    /** The same where all runs are equal: so many declared drops. */
    private static final double DROPS_AT_ONCE = 4;
    /** It must be this much farther from the mean than any run of the level, which knows the outliers of the metric. */
    private static final double FARTHER = 1.5;

    /** The statistics of the newest runs of {@code level}; empty for too few runs, and for equal runs unless a drop is declared. */
    static Optional<BaselineStatistics> of(Level level, MetricRule rule, int replicates) {
        List<LevelRun> window = level.runs()
                .subList(Math.max(0, level.runs().size() - WINDOW), level.runs().size());
        if (window.isEmpty()) {
            return Optional.empty();
        }
        double[] kept = clean(window.stream().mapToDouble(LevelRun::value).toArray());
        double mean = Numbers.mean(kept);
        Spread spread = spread(level, rule, window, kept, replicates);
        double minDrop = rule.scaledDrop(mean, rule.minDrop());
        return spread.k() == 0 || (spread.scale() == 0 && minDrop == 0)
                ? Optional.empty()
                : Optional.of(new BaselineStatistics(
                        window.size(),
                        mean,
                        Numbers.deviation(kept),
                        spread.scale(),
                        spread.k(),
                        spread.weight(),
                        minDrop,
                        replicates,
                        farthest(level.runs(), mean)));
    }

    private static double farthest(List<LevelRun> runs, double mean) {
        double most = 0;
        for (LevelRun run : runs) {
            most = Math.max(most, Math.abs(run.value() - mean));
        }
        return most;
    }

    private record Spread(double scale, double k, int weight) {
        static final Spread UNKNOWN = new Spread(0, 0, 0);
    }

    private static Spread spread(Level level, MetricRule rule, List<LevelRun> window, double[] kept, int replicates) {
        int runs = window.size();
        OptionalDouble noise = rule.noise().isPresent()
                ? OptionalDouble.of(
                        rule.scaledDrop(Numbers.mean(kept), rule.noise().getAsDouble()))
                : noiseWithin(window);
        int free = kept.length - 1;
        double squares = Numbers.squares(kept);
        if (noise.isPresent()) {
            double ofRun = noise.getAsDouble() * noise.getAsDouble() / replicates;
            double scale = Math.sqrt((NOISE_WEIGHT * ofRun + squares) / (NOISE_WEIGHT + free));
            return new Spread(scale, LimitFactors.withNoise(runs, NOISE_WEIGHT + free), weight(NOISE_WEIGHT + free));
        }
        Optional<KeptSpread> old = level.kept().filter(spread -> runs < WINDOW);
        if (old.isPresent()) {
            int degrees = old.get().degrees() + free;
            double scale = Math.sqrt((old.get().squares() + squares) / degrees);
            return new Spread(scale, LimitFactors.exact(runs, degrees), weight(degrees));
        }
        return runs < LEAST
                ? Spread.UNKNOWN
                : new Spread(Numbers.deviation(kept), LimitFactors.plain(runs), weight(free));
    }

    private static int weight(int degrees) {
        return Math.min(degrees, KeptSpread.MOST_DEGREES);
    }

    /** The pooled standard deviation of the replicates within a run; empty below six spare replicates. */
    static OptionalDouble noiseWithin(List<LevelRun> runs) {
        int spare = 0;
        double squares = 0;
        for (LevelRun run : runs) {
            spare += run.replicates() - 1;
            squares += run.squares();
        }
        return spare < NOISE_WEIGHT ? OptionalDouble.empty() : OptionalDouble.of(Math.sqrt(squares / spare));
    }

    /** Without the runs that are far from the median; all of them when there are few, or when most are equal. */
    static double[] clean(double... values) {
        if (values.length < CLEANED_FROM) {
            return values;
        }
        double median = Numbers.median(values);
        double[] distances = new double[values.length];
        for (int i = 0; i < values.length; i++) {
            distances[i] = Math.abs(values[i] - median);
        }
        double most = OUTLIER * Numbers.MAD_TO_SD * Numbers.median(distances);
        return most == 0
                ? values
                : Arrays.stream(values)
                        .filter(value -> Math.abs(value - median) <= most)
                        .toArray();
    }

    private double drop() {
        return Math.max(k * scale, minDrop);
    }

    /** A run below it is suspect. */
    public double limit() {
        return mean - drop();
    }

    /** A run above it is better than usual. */
    public double upperLimit() {
        return mean + drop();
    }

    /** A run below it is red at once. */
    public double atOnceLimit() {
        double far = scale == 0 ? DROPS_AT_ONCE * drop() : AT_ONCE * scale;
        return mean - Math.max(drop(), Math.max(far, FARTHER * farthest));
    }

    /** A rerun that dropped farther than this confirms a suspect run: half of the limit for one replicate. */
    double confirmDrop() {
        return Math.max(k * scale * Math.sqrt(replicates) / 2, minDrop / 2);
    }

    /** The smallest drop that is noticed at once in four of five runs. */
    public double reach() {
        return Math.max((k + POWER_80) * scale, minDrop);
    }
}
