package io.jenkins.plugins.tao.payload;

import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * An experiment spec as nested YAML that readers of YAML 1.1 and 1.2 understand in the same way: texts are always in
 * double quotes, with JSON's escapes, which YAML shares.
 */
final class SpecYaml {
    private static final Pattern PLAIN_KEY = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");
    private static final Pattern WORD = Pattern.compile("(?i)y|n|yes|no|on|off|true|false|null");

    private final StringBuilder out = new StringBuilder();
    private final UnaryOperator<String> texts;

    private SpecYaml(UnaryOperator<String> texts) {
        this.texts = texts;
    }

    /** The YAML of {@code spec}; each text value in it goes through {@code texts}. */
    static String render(Map<?, ?> spec, UnaryOperator<String> texts) {
        SpecYaml yaml = new SpecYaml(texts);
        yaml.map(spec, "");
        return yaml.out.toString();
    }

    private void map(Map<?, ?> map, String indent) {
        map.forEach((key, value) -> {
            out.append(indent).append(key(String.valueOf(key))).append(':');
            value(value, indent);
        });
    }

    private void value(@Nullable Object value, String indent) {
        if (value instanceof Map<?, ?> map && !map.isEmpty()) {
            out.append('\n');
            map(map, indent + "  ");
        } else if (value instanceof List<?> list && !list.isEmpty()) {
            out.append('\n');
            for (Object item : list) {
                out.append(indent).append("  -");
                value(item, indent + "  ");
            }
        } else {
            out.append(' ').append(scalar(value)).append('\n');
        }
    }

    private String scalar(@Nullable Object value) {
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
        return value instanceof List ? "[]" : Json.write(texts.apply(value.toString()));
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
        return PLAIN_KEY.matcher(key).matches() && !WORD.matcher(key).matches() ? key : Json.write(key);
    }
}
