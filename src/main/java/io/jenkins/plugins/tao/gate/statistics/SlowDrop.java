package io.jenkins.plugins.tao.gate.statistics;

import org.apache.commons.statistics.distribution.NormalDistribution;
import org.apache.commons.statistics.distribution.TDistribution;

/**
 * Finds small drops that last: a self-starting CUSUM for one side (Hawkins 1987, "Self-Starting Cusum Charts for Location and Scale").
 * Each night is compared with all nights before it, so that no level has to be known; values are oriented.
 */
public final class SlowDrop {
    private static final NormalDistribution NORMAL = NormalDistribution.of(0, 1);
    private static final int LEAST = 3;
    private static final int CLIPPED_FROM = 8;
    private static final double CLIP = 3;
    private static final double ALLOWANCE = 0.5;
    /** A good series reaches it once in more than 1,000 nights. */
    public static final double LIMIT = 5.2;

    private int count;
    private double mean;
    private double squares;
    private double sum;

    /** Takes the next night and gives the sum so far. */
    double take(double value) {
        sum = Math.max(0, sum - score(value) - ALLOWANCE);
        learn(value);
        return sum;
    }

    /** Whether the series has dropped. */
    boolean alarms() {
        return sum > LIMIT;
    }

    /** Begins to count again, after an alarm. */
    void reset() {
        sum = 0;
    }

    private double deviation() {
        return count < 2 ? 0 : Math.sqrt(squares / (count - 1));
    }

    /** How unusual the value is after those before it, as a standard normal score; 0 while that cannot be said. */
    private double score(double value) {
        double deviation = deviation();
        if (count < LEAST || deviation == 0) {
            return 0;
        }
        double t = (value - mean) / (deviation * Math.sqrt(1 + 1.0 / count));
        double tail = TDistribution.of(count - 1.0).cumulativeProbability(-Math.abs(t));
        double score = tail <= 0 ? CLIP : Math.min(CLIP, -NORMAL.inverseCumulativeProbability(tail));
        return Math.copySign(score, t);
    }

    /** One gross outlier must not widen the spread for ever: it counts as three standard deviations. */
    private void learn(double value) {
        double deviation = deviation();
        double counted = value;
        if (count >= CLIPPED_FROM && deviation > 0) {
            counted = mean + Math.max(-CLIP * deviation, Math.min(CLIP * deviation, value - mean));
        }
        count++;
        double step = counted - mean;
        mean += step / count;
        squares += step * (counted - mean);
    }
}
