package io.jenkins.plugins.tao.backend.simulated;

import java.util.SplittableRandom;

/** Chance that is no chance: each value is a pure function of the seed and of what it is for. */
record Chance(long seed) {
    private static final long MIX = 0x9E37_79B9_7F4A_7C15L;
    private static final double WIDEST = 3;

    /** A standard normal value, within three standard deviations. */
    double normal(String purpose, int index) {
        double value = source(purpose, index).nextGaussian();
        return Math.max(-WIDEST, Math.min(WIDEST, value));
    }

    /** A factor around 1 whose logarithm has this standard deviation. */
    double factor(double spread, String purpose, int index) {
        return Math.exp(spread * normal(purpose, index));
    }

    /** A whole number from 0 to below {@code bound}. */
    int below(int bound, String purpose, int index) {
        return source(purpose, index).nextInt(bound);
    }

    private SplittableRandom source(String purpose, int index) {
        return new SplittableRandom((seed * 31 + purpose.hashCode()) * MIX + index);
    }
}
