package io.jenkins.plugins.tao.jenkins.trend;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a gate asks, read from its title: verdicts are kept with that alone.
 *
 * @param reading which number of the metric, such as {@code best} and a blank; empty for the last value
 * @param metric the metric
 * @param bound what it is compared with, such as {@code at least 0.4}
 */
record GateTitle(String reading, String metric, String bound) {
    private static final String USUAL = "as usual";
    private static final Pattern TITLE = Pattern.compile("(?:.*: )?"
            + "(best |epochs until \\S+ of |divergence of |values that are not a number of |)(.+?) "
            + "(" + USUAL + "|at least \\S+|at most \\S+|no worse than .+?)(?: \\([^()]*\\))*");

    /** The metric itself. */
    static GateTitle of(String metric) {
        return new GateTitle("", metric, USUAL);
    }

    /** Reads the title of a gate; empty for another text. */
    static Optional<GateTitle> parse(String title) {
        Matcher parts = TITLE.matcher(title);
        return parts.matches()
                ? Optional.of(new GateTitle(parts.group(1), parts.group(2), parts.group(3)))
                : Optional.empty();
    }

    /** What its chart is called. */
    String name() {
        return reading + metric;
    }

    boolean isUsual() {
        return bound.equals(USUAL);
    }
}
