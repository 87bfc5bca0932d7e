package io.jenkins.plugins.tao.status;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Locale;
import java.util.OptionalDouble;

/** Reads numbers as Python writes them into JSON: bare, as text, not finite. */
final class Numbers {
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
            default -> decimal(text);
        };
    }

    private static OptionalDouble decimal(String text) {
        if (!text.chars().allMatch(character -> "0123456789.e+-".indexOf(character) >= 0)) {
            return OptionalDouble.empty(); // parseDouble knows more forms: 1d, 0x1p3
        }
        try {
            return OptionalDouble.of(Double.parseDouble(text));
        } catch (NumberFormatException e) {
            return OptionalDouble.empty();
        }
    }
}
