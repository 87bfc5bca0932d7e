package io.jenkins.plugins.tao.jenkins.trend;

import java.util.List;
import java.util.Optional;

/**
 * What a gate asks, read from its title: verdicts are kept with that alone.
 *
 * @param reading which number of the metric, such as {@code best} and a blank; empty for the last value
 * @param metric the metric
 * @param bound what it is compared with, such as {@code at least 0.4}
 */
record GateTitle(String reading, String metric, String bound) {
    private static final String USUAL = "as usual";
    private static final List<String> BOUNDS = List.of(" at least ", " at most ", " no worse than ", " within ");
    /** What stands before a metric; a number and a blank may follow. */
    private static final List<String> READINGS = List.of(
            "best ",
            "divergence of ",
            "values that are not a number of ",
            "mean of last ",
            "median of last ",
            "epochs until ");

    /** The metric itself. */
    static GateTitle of(String metric) {
        return new GateTitle("", metric, USUAL);
    }

    /** Reads the title of a gate; empty for another text. */
    static Optional<GateTitle> parse(String title) {
        String text = title.substring(title.lastIndexOf(": ") < 0 ? 0 : title.lastIndexOf(": ") + 2);
        while (text.endsWith(")") && text.contains(" (")) {
            text = text.substring(0, text.lastIndexOf(" ("));
        }
        String asked = text;
        int at = text.endsWith(" " + USUAL)
                ? text.length() - USUAL.length() - 1
                : BOUNDS.stream()
                        .mapToInt(asked::indexOf)
                        .filter(found -> found > 0)
                        .min()
                        .orElse(0);
        String name = text.substring(0, at);
        int metric = reading(name);
        return at == 0 || metric == name.length()
                ? Optional.empty()
                : Optional.of(new GateTitle(name.substring(0, metric), name.substring(metric), text.substring(at + 1)));
    }

    /** How long the words before the metric are. */
    private static int reading(String name) {
        String words = READINGS.stream().filter(name::startsWith).findFirst().orElse("");
        String end = words.startsWith("epochs") ? " of " : " ";
        return words.endsWith("last ") || words.startsWith("epochs")
                ? name.indexOf(end, words.length()) + end.length()
                : words.length();
    }

    /** What its chart is called. */
    String name() {
        return reading + metric;
    }

    boolean isUsual() {
        return bound.equals(USUAL);
    }
}
