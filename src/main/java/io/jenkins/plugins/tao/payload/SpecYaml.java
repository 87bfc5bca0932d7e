package io.jenkins.plugins.tao.payload;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * An experiment spec as nested YAML that readers of YAML 1.1 and 1.2 understand in the same way: texts are always in
 * double quotes, with JSON's escapes, which YAML shares.
 */
final class SpecYaml {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Pattern PLAIN_KEY = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");
    private static final Pattern WORD = Pattern.compile("(?i)y|n|yes|no|on|off|true|false|null");

    private SpecYaml() {}

    static String render(Map<?, ?> spec) {
        StringBuilder out = new StringBuilder();
        map(spec, "", out);
        return out.toString();
    }

    private static void map(Map<?, ?> map, String indent, StringBuilder out) {
        map.forEach((key, value) -> {
            out.append(indent).append(key(String.valueOf(key))).append(':');
            value(value, indent, out);
        });
    }

    private static void value(@Nullable Object value, String indent, StringBuilder out) {
        if (value instanceof Map<?, ?> map && !map.isEmpty()) {
            out.append('\n');
            map(map, indent + "  ", out);
        } else if (value instanceof List<?> list && !list.isEmpty()) {
            out.append('\n');
            for (Object item : list) {
                out.append(indent).append("  -");
                value(item, indent + "  ", out);
            }
        } else {
            out.append(' ').append(scalar(value)).append('\n');
        }
    }

    private static String scalar(@Nullable Object value) {
        if (value == null) {
            return "null";
        }
        if (value instanceof Double || value instanceof Float) {
            return number(((Number) value).doubleValue());
        }
        if (value instanceof Number || value instanceof Boolean) {
            return value.toString();
        }
        if (value instanceof Map) {
            return "{}";
        }
        return value instanceof List ? "[]" : quoted(value.toString());
    }

    /** YAML 1.1 takes {@code 1.0E10} for text and {@code 1.0E+10} for a number. */
    private static String number(double value) {
        if (Double.isNaN(value)) {
            return ".nan";
        }
        if (Double.isInfinite(value)) {
            return value > 0 ? ".inf" : "-.inf";
        }
        return Double.toString(value).replaceFirst("E(?=\\d)", "E+");
    }

    private static String key(String key) {
        return PLAIN_KEY.matcher(key).matches() && !WORD.matcher(key).matches() ? key : quoted(key);
    }

    private static String quoted(String text) {
        try {
            return JSON.writeValueAsString(text);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("every text can be written as JSON", e);
        }
    }
}
