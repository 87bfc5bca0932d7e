package hudson.model;

/** Stands in for Jenkins' own in tests: how a build ended, the best first. */
public final class Result implements java.io.Serializable {
    private static final long serialVersionUID = 1L;

    public static final Result SUCCESS = new Result(0);
    public static final Result UNSTABLE = new Result(1);
    public static final Result FAILURE = new Result(2);
    public static final Result ABORTED = new Result(4);

    private final int ordinal;

    private Result(int ordinal) {
        this.ordinal = ordinal;
    }

    public boolean isWorseThan(Result that) {
        return ordinal > that.ordinal;
    }

    public boolean isBetterOrEqualTo(Result that) {
        return ordinal <= that.ordinal;
    }
}
