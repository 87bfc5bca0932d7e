package io.jenkins.plugins.tao.status;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.regex.Pattern;

/** Reads numbers as Python writes them into JSON: bare, as text, not finite. */
final class Numbers {
    private static final Pattern DECIMAL = Pattern.compile("[+-]?(\\d+\\.?\\d*|\\.\\d+)(e[+-]?\\d+)?");

    private Numbers() {}

    /** The number that {@code value} is or spells, {@code NaN} and infinities included. */
    static OptionalDouble read(JsonNode value) {
        if (value.isNumber()) {
            return OptionalDouble.of(value.doubleValue());
        }
        return value.isTextual() ? spelled(value.textValue().strip().toLowerCase(Locale.ROOT)) : OptionalDouble.empty();
    }

    /** The same without {@code NaN} and infinities. */
    static OptionalDouble finite(JsonNode value) {
        OptionalDouble number = read(value);
        return number.isPresent() && Double.isFinite(number.getAsDouble()) ? number : OptionalDouble.empty();
    }

    private static OptionalDouble spelled(String text) {
        return switch (text) {
            case "nan" -> OptionalDouble.of(Double.NaN);
            case "inf", "+inf", "infinity", "+infinity" -> OptionalDouble.of(Double.POSITIVE_INFINITY);
            case "-inf", "-infinity" -> OptionalDouble.of(Double.NEGATIVE_INFINITY);
            default ->
                DECIMAL.matcher(text).matches() ? OptionalDouble.of(Double.parseDouble(text)) : OptionalDouble.empty();
        };
    }
}
