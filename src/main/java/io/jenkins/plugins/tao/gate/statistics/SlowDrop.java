package io.jenkins.plugins.tao.gate.statistics;

import java.util.Optional;
import org.apache.commons.statistics.distribution.NormalDistribution;
import org.apache.commons.statistics.distribution.TDistribution;

/**
 * Sum of small drops: a one-sided self-starting CUSUM (Hawkins 1987, "Self-Starting Cusum Charts for Location and Scale"). Each
 * run is compared with all accepted runs of the level before it. Values are on the scale of comparison. Immutable.
 *
 * @param learned the accepted runs so far
 * @param before the accepted runs before the sum left 0: those before the drop
 * @param sum the sum of the drops, in standard deviations
 * @param taken how many runs the sum is made of
 */
record SlowDrop(Learned learned, Learned before, double sum, int taken) {
    /** Where it alarms, in standard deviations: a good series gets there once in some 3,500 runs (Siegmund 1985). */
    static final double LIMIT = 5.4;

    private static final NormalDistribution NORMAL = NormalDistribution.of(0, 1);
    private static final int LEAST = 3;
    private static final int CLIPPED_FROM = 8;
    private static final double CLIP = 3;
    /** What each run may be below the mean, in standard deviations: half of the smallest drop that is looked for. */
    private static final double ALLOWANCE = 0.6;

    /**
     * Running mean and spread.
     *
     * @param squares the sum of the squared distances from the mean
     */
    record Learned(int count, double mean, double squares) {
        static final Learned NOTHING = new Learned(0, 0, 0);

        double degrees(Optional<KeptSpread> kept) {
            return Math.max(0, count - 1) + kept.map(KeptSpread::degrees).orElse(0);
        }

        double deviation(Optional<KeptSpread> kept) {
            double degrees = degrees(kept);
            return degrees == 0
                    ? 0
                    : Math.sqrt((squares + kept.map(KeptSpread::squares).orElse(0.0)) / degrees);
        }

        /** One gross outlier must not widen the spread for good: it counts as three standard deviations. */
        Learned with(double value, Optional<KeptSpread> kept) {
            double deviation = deviation(kept);
            double counted = value;
            if (count >= CLIPPED_FROM && deviation > 0) {
                counted = mean + Math.max(-CLIP * deviation, Math.min(CLIP * deviation, value - mean));
            }
            double step = counted - mean;
            double next = mean + step / (count + 1);
            return new Learned(count + 1, next, squares + step * (counted - next));
        }
    }

    static final SlowDrop NOTHING = new SlowDrop(Learned.NOTHING, Learned.NOTHING, 0, 0);

    /** With the next run in its sum; it is not learned before it is accepted. */
    SlowDrop take(double value, Optional<KeptSpread> kept) {
        double next = Math.max(0, sum - score(value, kept) - ALLOWANCE);
        return new SlowDrop(learned, taken == 0 ? learned : before, next, next == 0 ? 0 : taken + 1);
    }

    SlowDrop learn(double value, Optional<KeptSpread> kept) {
        return new SlowDrop(learned.with(value, kept), before, sum, taken);
    }

    boolean alarms() {
        return sum > LIMIT;
    }

    /** As if the runs of the drop had not been. */
    SlowDrop takenBack() {
        return new SlowDrop(taken == 0 ? learned : before, before, 0, 0);
    }

    /** The sum begins at 0 again; what was learned stays. */
    SlowDrop cleared() {
        return new SlowDrop(learned, learned, 0, 0);
    }

    /** How unusual the value is after those before it, as a standard normal score; 0 while that cannot be said. */
    private double score(double value, Optional<KeptSpread> kept) {
        double deviation = learned.deviation(kept);
        if (learned.count() < (kept.isPresent() ? 1 : LEAST) || deviation == 0) {
            return 0;
        }
        double t = (value - learned.mean()) / (deviation * Math.sqrt(1 + 1.0 / learned.count()));
        double tail = TDistribution.of(learned.degrees(kept)).cumulativeProbability(-Math.abs(t));
        double score = tail <= 0 ? CLIP : Math.min(CLIP, -NORMAL.inverseCumulativeProbability(tail));
        return Math.copySign(score, t);
    }
}
