package io.jenkins.plugins.tao.gate.criteria;

/** What a value is compared with. */
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

    /** What is usual: the rule of docs/gates.md. */
    record Usual() implements Bound {}
}
