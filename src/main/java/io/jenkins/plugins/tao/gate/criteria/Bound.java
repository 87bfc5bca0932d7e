package io.jenkins.plugins.tao.gate.criteria;

/** What a value is compared with. A tolerance of both sides makes a band of it. */
public sealed interface Bound {
    /** It must be at least this. */
    record AtLeast(double value) implements Bound {}

    /** It must be at most this. */
    record AtMost(double value) implements Bound {}

    /** The last good comparable run; on one branch, or on any when that is empty. */
    record LastGood(String branch, Tolerance tolerance) implements Bound {}

    /** A run that a person blessed under this name. */
    record Pinned(String name, Tolerance tolerance) implements Bound {}

    /** The median of the last {@code runs} comparable runs. */
    record Median(int runs, Tolerance tolerance) implements Bound {}

    /** Whether a value must not be far off on either side. */
    default boolean band() {
        return (this instanceof LastGood last && last.tolerance().bothSides())
                || (this instanceof Pinned pinned && pinned.tolerance().bothSides())
                || (this instanceof Median median && median.tolerance().bothSides());
    }

    /** What is usual: the rule of docs/gates.md. */
    record Usual() implements Bound {}
}
