package io.jenkins.plugins.tao.backend.slurm.networks;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonSerializer;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.ser.std.ToStringSerializer;
import java.io.IOException;
import java.nio.file.Path;
import java.time.temporal.Temporal;
import java.util.Map;

/** Compact JSON that readers of YAML 1.1 understand in the same way. */
public final class SlurmJson {
    private static final ObjectMapper MAPPER = JsonMapper.builder()
            .addModule(new SimpleModule()
                    .addSerializer(Double.class, new SignedExponent())
                    .addSerializer(Path.class, ToStringSerializer.instance)
                    .addSerializer(Temporal.class, ToStringSerializer.instance))
            .build();

    private SlurmJson() {}

    public static String compact(Map<String, ?> value) {
        try {
            return MAPPER.writeValueAsString(value);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("the spec holds a value that JSON cannot: " + e.getOriginalMessage(), e);
        }
    }

    /** YAML 1.1 takes {@code 1.0E10} for text and {@code 1.0E+10} for a number; JSON takes both. */
    private static final class SignedExponent extends JsonSerializer<Double> {
        @Override
        public void serialize(Double value, JsonGenerator out, SerializerProvider provider) throws IOException {
            if (value.isNaN() || value.isInfinite()) {
                out.writeString(value.isNaN() ? "nan" : value > 0 ? "inf" : "-inf");
            } else {
                out.writeNumber(value.toString().replaceFirst("E(?=\\d)", "E+"));
            }
        }
    }
}
