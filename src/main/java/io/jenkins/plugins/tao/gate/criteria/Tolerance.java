package io.jenkins.plugins.tao.gate.criteria;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How far a value may be from the one it is compared with.
 *
 * @param amount how much; not negative
 * @param unit of what
 * @param bothSides whether a better value may not be farther either
 */
public record Tolerance(double amount, Unit unit, boolean bothSides) {
    private static final Pattern FORM = Pattern.compile("(\\d{1,12}(?:\\.\\d{1,12})?)\\s*(%|percent|mad)?");
    private static final double HUNDRED = 100;

    /** No worse at all. */
    public static final Tolerance NONE = new Tolerance(0, Unit.ABSOLUTE, false);

    /** What a tolerance is counted in. */
    public enum Unit {
        /** The metric's own unit. */
        ABSOLUTE,
        /** Hundredths of the value compared with. */
        PERCENT,
        /** Median absolute deviations, scaled to a standard deviation, of the values compared with. */
        MAD
    }

    /** Reads {@code 2%}, {@code 0.01} or {@code 4 mad}; empty when the text is none of them. */
    public static Optional<Tolerance> parse(String text) {
        Matcher match = FORM.matcher(text.strip().toLowerCase(java.util.Locale.ROOT));
        if (!match.matches()) {
            return Optional.empty();
        }
        String unit = match.group(2) == null ? "" : match.group(2);
        return Optional.of(new Tolerance(
                Double.parseDouble(match.group(1)),
                switch (unit) {
                    case "%", "percent" -> Unit.PERCENT;
                    case "mad" -> Unit.MAD;
                    default -> Unit.ABSOLUTE;
                },
                false));
    }

    /** The same on both sides. */
    Tolerance band() {
        return new Tolerance(amount, unit, true);
    }

    /** The tolerance in the metric's unit, beside {@code value} among values with {@code spread}. */
    public double around(double value, double spread) {
        return switch (unit) {
            case ABSOLUTE -> amount;
            case PERCENT -> Math.abs(value) * amount / HUNDRED;
            case MAD -> amount * spread;
        };
    }

    /** {@code 2 %}, {@code 0.01} or {@code 4 MAD}. */
    String words() {
        return switch (unit) {
            case ABSOLUTE -> Words.number(amount);
            case PERCENT -> Words.number(amount) + " %";
            case MAD -> Words.number(amount) + " MAD";
        };
    }
}
