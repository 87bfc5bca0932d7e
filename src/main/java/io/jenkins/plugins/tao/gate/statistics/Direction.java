package io.jenkins.plugins.tao.gate.statistics;

/** Which values of a metric are the good ones. */
public enum Direction {
    /** As for mAP and throughput. */
    HIGHER(1),
    /** As for losses and durations. */
    LOWER(-1);

    private final int sign;

    Direction(int sign) {
        this.sign = sign;
    }

    /** {@code value}, so that more is better; applied twice it gives the value back. */
    public double oriented(double value) {
        return sign * value;
    }

    /** The word for the bad side of a limit: {@code below} or {@code above}. */
    public String badSide() {
        return this == HIGHER ? "below" : "above";
    }

    /** {@code higher is better} or {@code lower is better}. */
    public String words() {
        return this == HIGHER ? "higher is better" : "lower is better";
    }
}
