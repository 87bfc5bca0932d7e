package io.jenkins.plugins.tao.gate.criteria;

import static io.jenkins.plugins.tao.job.Require.require;

import io.jenkins.plugins.tao.gate.statistics.Direction;
import io.jenkins.plugins.tao.gate.statistics.Measure;
import io.jenkins.plugins.tao.gate.statistics.MetricRange;
import io.jenkins.plugins.tao.job.text.Suggestions;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads a gate as people write it, the same keys in a job file, a step and a form: {@code kpi: val_mAP50, noWorseThan: last good, by: 2%}.
 * Without a bound the usual rule holds. Pure.
 */
public final class GateText {
    /** The keys that take a list of names. */
    public static final Set<String> LISTS = Set.of("mustMatch", "mayDiffer");

    /** The keys. */
    public static final Set<String> KEYS = Set.of(
            "kpi",
            "read",
            "direction",
            "atLeast",
            "atMost",
            "noWorseThan",
            "by",
            "within",
            "range",
            "noise",
            "minDrop",
            "effect",
            "confirm",
            "mustMatch",
            "mayDiffer",
            "needVerdict");

    /** Those that say what a value is compared with; a gate has one at most, and without one the usual rule holds. */
    public static final Set<String> BOUNDS = Set.of("atLeast", "atMost", "noWorseThan", "within");

    private static final Pattern MEDIAN = Pattern.compile("median of (\\d{1,3})( nights?| runs?)?");
    private static final Pattern WITHIN = Pattern.compile("(.+?)(?: of (.+))?");
    private static final Pattern LAST = Pattern.compile("(mean|median) of (?:the )?last (\\d{1,3})");
    private static final Pattern EPOCHS = Pattern.compile("epochs? to (\\S+)");
    private static final Pattern BRANCH = Pattern.compile("last good of (\\S+)");
    private static final Pattern BASELINE = Pattern.compile("baseline(?: (\\S+))?");

    private final Map<String, String> keys;

    private GateText(Map<String, String> keys) {
        this.keys = keys;
    }

    /**
     * Reads one gate.
     *
     * @param keys what was written, by key; blank values are none
     * @throws IllegalArgumentException naming the key that is wrong and what can stand there
     */
    public static Criterion parse(Map<String, String> keys) {
        Map<String, String> given = new LinkedHashMap<>(keys);
        given.values().removeIf(String::isBlank);
        Suggestions.check("a gate", given.keySet(), KEYS);
        return new GateText(given).criterion();
    }

    /**
     * Where the seed of the job is, when a run with another one is asked for before a red build; empty when none is.
     *
     * @throws IllegalArgumentException if the place is none
     */
    public static Optional<SeedPlace> confirm(Map<String, String> keys) {
        return Optional.ofNullable(keys.get("confirm"))
                .filter(text -> !text.isBlank())
                .map(SeedPlace::parse);
    }

    private Criterion criterion() {
        require(
                keys.containsKey("kpi"),
                "a gate needs 'kpi', a metric such as val_mAP50 or one of: %s",
                String.join(", ", Measure.keys()));
        Bound bound = bound();
        require(
                confirm(keys).isEmpty() || bound instanceof Bound.Usual,
                "confirm belongs to the usual rule: a gate with atLeast, atMost, noWorseThan or within judges without it");
        return new Criterion(
                keys.getOrDefault("kpi", "").strip(),
                reading(),
                direction(),
                bound,
                effect(),
                range(),
                number("noise"),
                number("minDrop").orElse(0),
                Matching.parse(keys.getOrDefault("mustMatch", ""), keys.getOrDefault("mayDiffer", "")),
                truth("needVerdict"));
    }

    private Bound bound() {
        OptionalDouble least = number("atLeast");
        OptionalDouble most = number("atMost");
        Optional<String> other = Optional.ofNullable(keys.get("noWorseThan"));
        long count = BOUNDS.stream().filter(keys::containsKey).count();
        require(count <= 1, "a gate has one of atLeast, atMost, noWorseThan and within; write several gates");
        require(
                other.isPresent() || !keys.containsKey("by"),
                "'by' needs noWorseThan: last good, a baseline or a median");
        if (least.isPresent()) {
            return new Bound.AtLeast(least.getAsDouble());
        }
        if (most.isPresent()) {
            return new Bound.AtMost(most.getAsDouble());
        }
        String within = keys.getOrDefault("within", "").strip();
        Matcher band = WITHIN.matcher(within);
        if (band.matches()) {
            String reference = band.group(2) == null ? "last good" : band.group(2);
            return compared("within", reference, Optional.of(band.group(1)), true);
        }
        return other.isPresent()
                ? compared("noWorseThan", other.get().strip(), Optional.ofNullable(keys.get("by")), false)
                : new Bound.Usual();
    }

    private static Bound compared(String key, String text, Optional<String> by, boolean band) {
        Matcher median = MEDIAN.matcher(text);
        Matcher branch = BRANCH.matcher(text);
        Matcher baseline = BASELINE.matcher(text);
        if (text.equals("last good")) {
            return new Bound.LastGood("", tolerance(by, band, Tolerance.NONE));
        }
        if (branch.matches()) {
            return new Bound.LastGood(branch.group(1), tolerance(by, band, Tolerance.NONE));
        }
        if (baseline.matches()) {
            String name = baseline.group(1) == null ? Blessed.LEVEL : baseline.group(1);
            return new Bound.Pinned(name, tolerance(by, band, Tolerance.NONE));
        }
        require(
                median.matches() && Integer.parseInt(median.group(1)) >= 1,
                "%s must be%s 'last good', 'last good of BRANCH', 'baseline', 'baseline NAME' or 'median of N', was '%s'",
                key,
                band ? " a part such as 2% of" : "",
                text);
        return new Bound.Median(
                Integer.parseInt(median.group(1)), tolerance(by, band, new Tolerance(4, Tolerance.Unit.MAD, false)));
    }

    private static Tolerance tolerance(Optional<String> by, boolean band, Tolerance usual) {
        String key = band ? "within" : "by";
        Tolerance tolerance = by.isEmpty()
                ? usual
                : Tolerance.parse(by.get())
                        .orElseThrow(() -> new IllegalArgumentException(key
                                + " must be a part such as 2%, a number in the metric's unit such as 0.01, or 4 mad; was '"
                                + by.get() + "'"));
        require(
                usual.unit() == tolerance.unit() || tolerance.unit() != Tolerance.Unit.MAD,
                "%s: %s needs several runs; use it with a median of 10",
                key,
                by.orElse(""));
        return band ? tolerance.band() : tolerance;
    }

    private Optional<MetricRange> range() {
        String text = keys.getOrDefault("range", "").strip();
        if (text.isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(
                switch (text) {
                    case "0..1" -> MetricRange.SHARE;
                    case "0..100" -> MetricRange.PERCENT;
                    case "open" -> MetricRange.OPEN;
                    default ->
                        throw new IllegalArgumentException(
                                "range must be '0..1', '0..100' or 'open', was '" + text + "'");
                });
    }

    private Reading reading() {
        String text = keys.getOrDefault("read", "last").strip();
        Matcher epochs = EPOCHS.matcher(text);
        if (epochs.matches()) {
            return new Reading.EpochsTo(value("read", epochs.group(1)));
        }
        Matcher last = LAST.matcher(text);
        if (last.matches() && Integer.parseInt(last.group(2)) > 0) {
            return new Reading.OfLast(
                    Integer.parseInt(last.group(2)), last.group(1).equals("median"));
        }
        return switch (text) {
            case "last" -> new Reading.Last();
            case "best" -> new Reading.Best();
            case "divergence" -> new Reading.Divergence();
            case "not finite" -> new Reading.NotFinite();
            default ->
                throw new IllegalArgumentException(
                        "read must be 'last', 'best', 'mean of last N', 'median of last N', 'epochs to NUMBER', 'divergence' or"
                                + " 'not finite', was '" + text + "'");
        };
    }

    private Optional<Direction> direction() {
        String text = keys.get("direction");
        if (text == null) {
            return Optional.empty();
        }
        require(text.equals("higher") || text.equals("lower"), "direction must be 'higher' or 'lower', was '%s'", text);
        return Optional.of(text.equals("higher") ? Direction.HIGHER : Direction.LOWER);
    }

    private boolean truth(String key) {
        String text = keys.getOrDefault(key, "false").strip();
        require(text.equals("true") || text.equals("false"), "%s must be 'true' or 'false', was '%s'", key, text);
        return text.equals("true");
    }

    private Effect effect() {
        String text = keys.getOrDefault("effect", "failure").strip();
        for (Effect effect : Effect.values()) {
            if (effect.name().equalsIgnoreCase(text)) {
                return effect;
            }
        }
        throw new IllegalArgumentException("effect must be 'failure', 'unstable' or 'note', was '" + text + "'");
    }

    private OptionalDouble number(String key) {
        String text = keys.get(key);
        return text == null ? OptionalDouble.empty() : OptionalDouble.of(value(key, text));
    }

    private static double value(String key, String text) {
        try {
            double value = Double.parseDouble(text.strip());
            require(Double.isFinite(value), "%s must be a finite number, was '%s'", key, text);
            return value;
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(key + " must be a number, was '" + text + "'", e);
        }
    }
}
