package io.jenkins.plugins.tao.sweep;

import static io.jenkins.plugins.tao.job.Require.require;

import io.jenkins.plugins.tao.gate.KnownMetrics;
import io.jenkins.plugins.tao.gate.statistics.Direction;
import io.jenkins.plugins.tao.record.RunRecord;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * When a cell is hopeless and is ended early. {@code MEDIAN}: its best value so far is worse than the median of what the other cells had
 * reached at the same epoch; at least {@value Hopeless#FEWEST_OTHERS} others must have come as far. {@code NAN}: its newest value is no
 * finite number.
 *
 * @param kind which rule
 * @param metric its whole name, as {@code status.json} gives it
 * @param after of how many epochs a cell must have told the metric before it is judged
 * @param direction which values are good; empty for what else is known of the metric
 */
public record EarlyRule(Kind kind, String metric, int after, Optional<Direction> direction) {
    private static final Pattern FORM = Pattern.compile(
            "(\\S+)\\s+of\\s+(\\S.*?)(?:\\s+after\\s+(-?\\d{1,9})\\s+epochs?)?(?:\\s*,\\s*(higher|lower)\\s+is\\s+better)?");
    private static final String FORMS =
            "endEarly knows 'median of METRIC after N epochs' and 'NaN of METRIC', and with ', higher is better' or ', lower is better'"
                    + " behind it which values are good; was '%s'";
    private static final Pattern BETWEEN = Pattern.compile("[;\\n]");

    /** The rules by name. */
    public enum Kind {
        MEDIAN("median"),
        NAN("NaN");

        private final String word;

        Kind(String word) {
            this.word = word;
        }

        String word() {
            return word;
        }
    }

    /**
     * Reads rules, parted by semicolons or line ends; none of a blank text.
     *
     * @throws IllegalArgumentException if one is unknown
     */
    public static List<EarlyRule> parse(String text) {
        return Arrays.stream(BETWEEN.split(text))
                .map(String::strip)
                .filter(rule -> !rule.isEmpty())
                .map(EarlyRule::one)
                .toList();
    }

    private static EarlyRule one(String text) {
        Matcher form = FORM.matcher(text);
        require(form.matches(), FORMS, text);
        Kind kind = Arrays.stream(Kind.values())
                .filter(known -> known.word.equals(form.group(1)))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(String.format(FORMS, text)));
        String after = form.group(3);
        require(
                after != null || kind == Kind.NAN,
                "endEarly must say after how many epochs: '%s after 5 epochs'",
                text);
        int epochs = after == null ? 0 : Integer.parseInt(after);
        require(
                epochs >= (kind == Kind.MEDIAN ? 1 : 0),
                "endEarly must leave a cell at least one epoch, was '%s'",
                text);
        Optional<Direction> direction = Optional.ofNullable(form.group(4))
                .map(word -> word.equals("higher") ? Direction.HIGHER : Direction.LOWER);
        return new EarlyRule(kind, form.group(2), epochs, direction);
    }

    /**
     * The same with its direction: as written, else as the best cell is chosen by the same metric, else as it is known of the metric.
     *
     * @param planned what the record of a cell would say before it is sent
     * @throws IllegalArgumentException if it is not known
     */
    public EarlyRule directed(Optional<Best> best, RunRecord planned) {
        Optional<Direction> known = direction
                .or(() -> best.filter(rule -> rule.metric().equals(metric))
                        .map(rule -> rule.highest() ? Direction.HIGHER : Direction.LOWER))
                .or(() -> KnownMetrics.of(planned, metric).map(KnownMetrics.Row::direction));
        require(
                kind == Kind.NAN || known.isPresent(),
                "whether '%s' is better high or low is not known; write endEarly: 'median of %s after %d epochs, higher is better', or lower",
                metric,
                metric,
                after);
        return new EarlyRule(kind, metric, after, known);
    }
}
