package io.jenkins.plugins.tao.gate.statistics;

/** What a criterion says of a night. */
public enum Call {
    /** As good as it should be. */
    PASS,
    /** A pass on the far side of the usual values. */
    BETTER,
    /** Beyond the limit, and its confirming run was not. */
    NOT_CONFIRMED,
    /** Beyond the limit, not confirmed yet: neither good nor bad. */
    SUSPECT,
    /** Worse than it should be. */
    REGRESSION,
    /** Worse by little each night, and for many nights. */
    SLOW_REGRESSION,
    /** The run itself gave no usable value: not a number. */
    FAILED,
    /** Too little is known. */
    NO_VERDICT;

    /** Whether the night counts as good: it may be a baseline for others. */
    public boolean good() {
        return this == PASS || this == BETTER || this == NOT_CONFIRMED;
    }

    /** Whether the build has to hear of it. */
    public boolean bad() {
        return this == REGRESSION || this == SLOW_REGRESSION || this == FAILED;
    }

    /** The words for people, such as {@code no verdict}. */
    public String words() {
        return switch (this) {
            case PASS -> "pass";
            case BETTER -> "better than usual";
            case NOT_CONFIRMED -> "pass (not confirmed)";
            case SUSPECT -> "suspect";
            case REGRESSION -> "regression";
            case SLOW_REGRESSION -> "slow regression";
            case FAILED -> "failed";
            case NO_VERDICT -> "no verdict";
        };
    }
}
