package io.jenkins.plugins.tao.spec;

import static io.jenkins.plugins.tao.job.Require.require;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonSerializer;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.dataformat.toml.TomlMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLGenerator;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import com.fasterxml.jackson.dataformat.yaml.util.StringQuotingChecker;
import io.jenkins.plugins.tao.job.SpecFormat;
import java.io.IOException;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * An experiment spec as the text of a file. Keys keep their order, whole numbers all their digits. YAML is written so
 * that readers of 1.1 and 1.2 understand it alike: texts in quotes, numbers with a point and a signed exponent.
 *
 * @see <a href="https://yaml.org/type/float.html">YAML 1.1, float</a>, where {@code 1e-4} is a text
 * @see <a href="https://toml.io/en/v1.0.0">TOML 1.0.0</a>
 */
final class SpecText {
    private static final Map<SpecFormat, ObjectMapper> WRITERS = Map.of(
            SpecFormat.YAML, yaml().registerModule(numbers(".nan", ".inf")),
            SpecFormat.JSON, new ObjectMapper().registerModule(numbers("NaN", "Infinity")),
            SpecFormat.TOML, new TomlMapper().registerModule(numbers("nan", "inf")));

    private SpecText() {}

    /**
     * The text of {@code spec}, a {@link SpecTree}.
     *
     * @throws IllegalArgumentException if {@code format} has no word for a value; the message names its key
     */
    static String render(Map<String, Object> spec, SpecFormat format) {
        requireWords(spec, format, "");
        try {
            return WRITERS.get(format).writeValueAsString(spec);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException(format + " cannot hold the spec: " + e.getOriginalMessage(), e);
        }
    }

    private static void requireWords(@Nullable Object value, SpecFormat format, String key) {
        if (value instanceof Map<?, ?> map) {
            map.forEach((name, each) -> requireWords(each, format, key.isEmpty() ? name.toString() : key + "." + name));
        } else if (value instanceof List<?> list) {
            for (int i = 0; i < list.size(); i++) {
                requireWords(list.get(i), format, key + "[" + i + "]");
            }
        }
        require(
                value != null || format != SpecFormat.TOML,
                "the spec's key '%s' has no value, which TOML cannot say; leave the key out, or use specFormat yaml or json",
                key);
        require(
                format != SpecFormat.JSON || !(value instanceof Number number) || Double.isFinite(number.doubleValue()),
                "the spec's key '%s' is %s, which JSON cannot say; use specFormat yaml or toml",
                key,
                value);
    }

    private static ObjectMapper yaml() {
        return new YAMLMapper(YAMLFactory.builder()
                .disable(YAMLGenerator.Feature.WRITE_DOC_START_MARKER)
                .disable(YAMLGenerator.Feature.SPLIT_LINES)
                .stringQuotingChecker(new PlainKeys())
                .build());
    }

    /** Keys stand without quotes only where no reader can take them for anything else. */
    private static final class PlainKeys extends StringQuotingChecker {
        private static final long serialVersionUID = 1L;
        private static final Pattern PLAIN = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");
        private static final Pattern WORD = Pattern.compile("(?i)y|n|yes|no|on|off|true|false|null");

        @Override
        public boolean needToQuoteName(String name) {
            return !PLAIN.matcher(name).matches() || WORD.matcher(name).matches();
        }

        @Override
        public boolean needToQuoteValue(String value) {
            return true;
        }
    }

    private static SimpleModule numbers(String nan, String infinity) {
        Fractions fractions = new Fractions(nan, infinity);
        return new SimpleModule()
                .addSerializer(Double.class, fractions)
                .addSerializer(Float.class, fractions)
                .addSerializer(BigDecimal.class, fractions);
    }

    /** Numbers with a fraction: YAML 1.1 takes {@code 1E10} and {@code 1.0E10} for texts, {@code 1.0E+10} for a number. */
    private static final class Fractions extends JsonSerializer<Number> {
        private final String nan;
        private final String infinity;

        Fractions(String nan, String infinity) {
            this.nan = nan;
            this.infinity = infinity;
        }

        @Override
        public void serialize(Number value, JsonGenerator out, SerializerProvider provider) throws IOException {
            out.writeNumber(text(value));
        }

        private String text(Number value) {
            double rounded = value.doubleValue();
            if (value instanceof BigDecimal || Double.isFinite(rounded)) {
                return value.toString().replaceFirst("^(-?\\d+)E", "$1.0E").replaceFirst("E(?=\\d)", "E+");
            }
            return Double.isNaN(rounded) ? nan : rounded > 0 ? infinity : "-" + infinity;
        }
    }
}
