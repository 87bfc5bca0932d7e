package io.jenkins.plugins.tao.gate.statistics;

/**
 * Range of a metric, and the scale on which its runs are compared. Shares near 0 and 1 are skewed and their spread depends on
 * their mean; the arcsine of the square root makes it nearly constant (Bartlett 1936, "The Square Root Transformation in
 * Analysis of Variance"; Freeman and Tukey 1950).
 */
public enum MetricRange {
    /** Without bounds: compared as it is. */
    OPEN(0),
    /** A share, 0 to 1. */
    SHARE(1),
    /** A share in percent, 0 to 100. */
    PERCENT(100);

    private final double whole;

    MetricRange(double whole) {
        this.whole = whole;
    }

    /** Whether {@code value} can be one of the metric. */
    public boolean contains(double value) {
        return this == OPEN || (value >= 0 && value <= whole);
    }

    /** {@code value} on the scale of comparison; a share outside its range counts as the nearest bound. */
    double scaled(double value) {
        return this == OPEN ? value : Math.asin(Math.sqrt(Math.max(0, Math.min(1, value / whole))));
    }

    /** The value in the metric's unit. */
    double unscaled(double scaled) {
        if (this == OPEN) {
            return scaled;
        }
        double sine = Math.sin(Math.max(0, Math.min(Math.PI / 2, scaled)));
        return whole * sine * sine;
    }
}
