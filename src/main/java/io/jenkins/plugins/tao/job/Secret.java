package io.jenkins.plugins.tao.job;

/** A value that must not be seen: it prints as {@code ***}, and {@link #reveal} marks each place that uses it. */
public final class Secret {
    private final String value;

    private Secret(String value) {
        this.value = value;
    }

    /** Wraps {@code value}, which may have several lines. */
    public static Secret of(String value) {
        return new Secret(value);
    }

    /** The value itself; pass it on by stdin, a mode-600 file or a backend's own secret object, never by a command line. */
    public String reveal() {
        return value;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Secret secret && secret.value.equals(value);
    }

    @Override
    public int hashCode() {
        return value.hashCode();
    }

    @Override
    public String toString() {
        return "***";
    }
}
