package io.jenkins.plugins.tao.bind;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.deser.std.StdDeserializer;
import java.io.IOException;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads what a record leaves open: nested maps, lists, strings, {@code Integer}, {@code Long} or {@code BigInteger}, {@code Double} and
 * {@code Boolean}. {@code 1e-4} without quotes is a number; a key with {@code null} or nothing behind it has no value.
 */
final class FreeValues extends StdDeserializer<Object> {
    private static final long serialVersionUID = 1L;
    private static final Pattern WHOLE = Pattern.compile("[-+]?[0-9]++");
    private static final Pattern DECIMAL =
            Pattern.compile("[-+]?+(\\.[0-9]++|[0-9]++(\\.[0-9]*+)?+)([eE][-+]?+[0-9]++)?+");
    private static final Pattern INFINITE = Pattern.compile("([-+]?)\\.(?:inf|Inf|INF)");

    FreeValues() {
        super(Object.class);
    }

    @Override
    public @Nullable Object deserialize(JsonParser parser, DeserializationContext context) throws IOException {
        JsonToken token = parser.currentToken();
        if (token == JsonToken.START_OBJECT) {
            Map<String, Object> map = new LinkedHashMap<>();
            while (parser.nextToken() != JsonToken.END_OBJECT) {
                String name = parser.currentName();
                parser.nextToken();
                map.put(name, inner(parser, context, name));
            }
            return map;
        }
        if (token == JsonToken.START_ARRAY) {
            List<Object> list = new ArrayList<>();
            while (parser.nextToken() != JsonToken.END_ARRAY) {
                list.add(inner(parser, context, String.valueOf(list.size())));
            }
            return list;
        }
        if (token == JsonToken.VALUE_STRING) {
            return parser.getText();
        }
        if (token == JsonToken.VALUE_NULL) {
            return null;
        }
        Object value = parser.getEmbeddedObject();
        return value instanceof Unquoted scalar ? scalar(scalar.text()) : value;
    }

    private @Nullable Object inner(JsonParser parser, DeserializationContext context, String name) throws IOException {
        try {
            return deserialize(parser, context);
        } catch (Misfit e) {
            e.prependPath(parser, name);
            throw e;
        }
    }

    /** What a word without quotes stands for; null where there is none. */
    static @Nullable Object scalar(String text) {
        if (text.isEmpty()) {
            return null;
        }
        if (text.equals("true") || text.equals("True") || text.equals("TRUE")) {
            return true;
        }
        if (text.equals("false") || text.equals("False") || text.equals("FALSE")) {
            return false;
        }
        if (WHOLE.matcher(text).matches()) {
            BigInteger number = new BigInteger(text);
            return number.bitLength() < Integer.SIZE
                    ? (Object) number.intValue()
                    : number.bitLength() < Long.SIZE ? (Object) number.longValue() : number;
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
