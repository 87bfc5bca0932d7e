package io.jenkins.plugins.tao.monitor;

import static io.jenkins.plugins.tao.job.Require.require;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Rule that ends a running job early by its metrics. Without a goal: the metric was NaN or infinite in {@code values} values in a row.
 * With one: none of its first {@code values} values reached the goal.
 *
 * @param metric its whole name, as {@code status.json} gives it
 * @param values how many values, at least 1
 * @param goal what one of the values has to reach
 */
public record EarlyEnd(String metric, int values, Optional<Goal> goal) {
    private static final int USUAL_VALUES = 3;
    private static final Pattern NAN =
            Pattern.compile("NaN(?:\\s+of\\s+(\\S.*?))?(?:\\s+in\\s+(\\d{1,6})\\s+values?)?");
    private static final Pattern FAR =
            Pattern.compile("(\\S.*?)\\s+(below|above)\\s+(\\S+)\\s+after\\s+(\\d{1,6})\\s+epochs?");

    /**
     * A number that good runs reach.
     *
     * @param number as it was written
     * @param below whether worse values are below it, else above
     */
    public record Goal(String number, boolean below) {
        public Goal {
            require(
                    number.matches("[-+]?\\d{1,15}([.]\\d{1,15})?"),
                    "endEarly needs a number such as 0.1, was '%s'",
                    number);
        }

        /** Whether {@code value} is as good. */
        boolean isReached(double value) {
            double goal = Double.parseDouble(number);
            return below ? value >= goal : value <= goal;
        }

        private String words() {
            return (below ? "below " : "above ") + number;
        }
    }

    public EarlyEnd {
        require(values >= 1, "endEarly must wait for at least one value, was %d", values);
    }

    /**
     * Reads {@code NaN of val_loss in 3 values} and {@code val_mAP50 below 0.1 after 10 epochs}, several with semicolons or line
     * ends between them; three values of NaN in a row by default; an empty list for a blank text.
     *
     * @param gated the metrics that {@code NaN} alone means
     * @throws IllegalArgumentException if it has another form
     */
    public static List<EarlyEnd> parse(String text, Collection<String> gated) {
        List<EarlyEnd> rules = new ArrayList<>();
        for (String part : text.split("[;\\n]", -1)) {
            String rule = part.strip();
            Matcher nan = NAN.matcher(rule);
            Matcher far = FAR.matcher(rule);
            if (nan.matches()) {
                int values = nan.group(2) == null ? USUAL_VALUES : Integer.parseInt(nan.group(2));
                Collection<String> metrics = nan.group(1) == null ? gated : List.of(nan.group(1));
                require(!metrics.isEmpty(), "endEarly: '%s' must name a metric, as in 'NaN of val_loss'", rule);
                metrics.forEach(metric -> rules.add(new EarlyEnd(metric, values, Optional.empty())));
            } else if (far.matches()) {
                Goal goal = new Goal(far.group(3), far.group(2).equals("below"));
                rules.add(new EarlyEnd(far.group(1), Integer.parseInt(far.group(4)), Optional.of(goal)));
            } else {
                require(
                        rule.isEmpty(),
                        "endEarly of a job must be as in 'NaN of val_loss', 'NaN of val_loss in 3 values' or"
                                + " 'val_mAP50 below 0.1 after 10 epochs', was '%s'",
                        rule);
            }
        }
        return rules;
    }

    /** The rules as one text, which {@link #parse} reads. */
    public static String render(List<EarlyEnd> rules) {
        return rules.stream().map(EarlyEnd::text).collect(Collectors.joining("; "));
    }

    private String text() {
        return goal.map(number -> metric + " " + number.words() + " after " + values + " epochs")
                .orElse("NaN of " + metric + " in " + values + " values");
    }

    /** What is said of a run that it ended. */
    String sentence() {
        String count = values == 1 ? " value" : " values";
        return "ended early: " + metric + " was "
                + goal.map(number -> number.words() + " in all of its first " + values + count)
                        .orElse("not a number in " + values + count);
    }
}
