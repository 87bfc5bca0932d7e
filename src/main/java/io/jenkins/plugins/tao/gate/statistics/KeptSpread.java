package io.jenkins.plugins.tao.gate.statistics;

/**
 * Spread of the level before, which a new level uses until it has enough runs of its own.
 *
 * @param deviation the standard deviation of one run, on the scale of comparison
 * @param degrees its weight in degrees of freedom
 */
record KeptSpread(double deviation, int degrees) {
    /** The most weight that an old spread has: that of a full window. */
    static final int MOST_DEGREES = 19;

    double squares() {
        return degrees * deviation * deviation;
    }
}
