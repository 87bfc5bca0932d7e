package hudson.model;

public final class Result implements java.io.Serializable {
    private static final long serialVersionUID = 1L;

    public static final Result ABORTED = null;

    private Result() {}
}
