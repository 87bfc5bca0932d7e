package io.jenkins.plugins.tao.gate.statistics;

/**
 * Answer of a gate for one run. The names of the constants are stored in {@code verdicts.jsonl} since schema 1: none may be
 * renamed.
 */
public enum GateResult {
    /** As good as it should be. */
    PASS("pass"),
    /** A pass beyond the upper limit of the usual values. */
    BETTER("better than usual"),
    /** Below the limit, but the rerun or the pair contradicts it. */
    NOT_CONFIRMED("pass (not confirmed)"),
    /** Below the limit and not confirmed yet: neither good nor bad. */
    SUSPECT("suspect"),
    /** Worse than it should be, or a regression that has not been fixed or blessed yet. */
    REGRESSION("regression"),
    /** Worse by little in each of several runs. */
    SLOW_REGRESSION("slow regression"),
    /** The run succeeded, but its value is NaN or infinite. */
    FAILED("failed"),
    /** There is no value or no level to compare it with. */
    NO_VERDICT("no verdict");

    private final String words;

    GateResult(String words) {
        this.words = words;
    }

    /** Whether the run may be a reference for later runs. */
    public boolean good() {
        return this == PASS || this == BETTER || this == NOT_CONFIRMED;
    }

    /** Whether the gate's effect applies to the build. */
    public boolean bad() {
        return this == REGRESSION || this == SLOW_REGRESSION || this == FAILED;
    }

    /** Text for users, such as {@code no verdict}. */
    public String words() {
        return words;
    }
}
