package io.jenkins.plugins.tao.monitor;

import static io.jenkins.plugins.tao.job.Require.require;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * When a running job is ended because nothing good can come of it: a metric was not a number, or infinite, so many times in a row.
 *
 * @param metric its whole name, as {@code status.json} gives it
 * @param values how many values, at least 1
 */
public record EarlyEnd(String metric, int values) {
    private static final int USUAL_VALUES = 3;
    private static final Pattern FORM =
            Pattern.compile("NaN(?:\\s+of\\s+(\\S.*?))?(?:\\s+in\\s+(\\d{1,6})\\s+values?)?");

    public EarlyEnd {
        require(values >= 1, "endEarly must wait for at least one value, was %d", values);
    }

    /**
     * Reads {@code NaN of val_loss in 3 values}, several with semicolons or line ends between them; three values unless it says
     * how many, none of a blank text.
     *
     * @param gated the metrics that {@code NaN} alone means
     * @throws IllegalArgumentException if it is none of that
     */
    public static List<EarlyEnd> parse(String text, Collection<String> gated) {
        List<EarlyEnd> rules = new ArrayList<>();
        for (String part : text.split("[;\\n]", -1)) {
            String rule = part.strip();
            Matcher form = FORM.matcher(rule);
            require(
                    rule.isEmpty() || form.matches(),
                    "endEarly of a job must be as in 'NaN of val_loss' or 'NaN of val_loss in 3 values', was '%s'",
                    rule);
            if (!rule.isEmpty()) {
                int values = form.group(2) == null ? USUAL_VALUES : Integer.parseInt(form.group(2));
                Collection<String> metrics = form.group(1) == null ? gated : List.of(form.group(1));
                require(!metrics.isEmpty(), "endEarly: '%s' must name a metric, as in 'NaN of val_loss'", rule);
                metrics.forEach(metric -> rules.add(new EarlyEnd(metric, values)));
            }
        }
        return rules;
    }

    /** The rules as one text, which {@link #parse} reads. */
    public static String render(List<EarlyEnd> rules) {
        return rules.stream()
                .map(rule -> "NaN of " + rule.metric + " in " + rule.values + " values")
                .collect(Collectors.joining("; "));
    }
}
