package io.jenkins.plugins.tao.cli;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Values without a type of ours, as an experiment spec has them: words by the core schema of YAML 1.2. */
final class FreeValues {
    private static final Pattern WHOLE = Pattern.compile("[-+]?[0-9]+");
    private static final Pattern DECIMAL =
            Pattern.compile("[-+]?+(\\.[0-9]++|[0-9]++(\\.[0-9]*+)?+)([eE][-+]?+[0-9]++)?+");
    private static final Pattern INFINITE = Pattern.compile("([-+]?)\\.(?:inf|Inf|INF)");

    private FreeValues() {}

    /**
     * Nested maps, lists, strings, {@code Long} or {@code BigInteger}, {@code Double} and {@code Boolean}; {@code 1e-4} is
     * a number, and {@code null} is nothing where it is written.
     */
    static @Nullable Object of(Value value) throws UsageException {
        if (value instanceof Value.Keyed keyed) {
            Map<String, Object> map = new LinkedHashMap<>();
            for (Map.Entry<String, Value.Entry> entry : keyed.entries().entrySet()) {
                map.put(entry.getKey(), of(entry.getValue().value()));
            }
            return map;
        }
        if (value instanceof Value.Items items) {
            List<Object> list = new ArrayList<>();
            for (Value item : items.values()) {
                list.add(of(item));
            }
            return list;
        }
        if (value instanceof Value.Text text) {
            return text.quoted() ? text.text() : scalar(text.text());
        }
        if (value instanceof Value.Nothing nothing && nothing.written()) {
            return null;
        }
        throw new UsageException(value.where() + ": has no value; give one, or leave the key out.");
    }

    private static Object whole(String text) {
        BigInteger number = new BigInteger(text);
        return number.bitLength() < Long.SIZE ? (Object) number.longValue() : number;
    }

    private static Object scalar(String text) {
        if (text.equals("true") || text.equals("True") || text.equals("TRUE")) {
            return true;
        }
        if (text.equals("false") || text.equals("False") || text.equals("FALSE")) {
            return false;
        }
        if (WHOLE.matcher(text).matches()) {
            return whole(text);
        }
        if (DECIMAL.matcher(text).matches()) {
            return Double.parseDouble(text);
        }
        if (INFINITE.matcher(text).matches()) {
            return text.startsWith("-") ? Double.NEGATIVE_INFINITY : Double.POSITIVE_INFINITY;
        }
        return text.equals(".nan") || text.equals(".NaN") || text.equals(".NAN") ? (Object) Double.NaN : text;
    }
}
