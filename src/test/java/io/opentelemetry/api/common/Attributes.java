package io.opentelemetry.api.common;

import java.util.LinkedHashMap;
import java.util.Map;

/** Stands in for the library's own in tests: a map. */
public interface Attributes {
    /** Begins. */
    static AttributesBuilder builder() {
        return new Builder();
    }

    /** Keeps what was put, in its order. */
    final class Builder implements AttributesBuilder {
        private final Map<String, String> entries = new LinkedHashMap<>();

        @Override
        public AttributesBuilder put(String key, String value) {
            entries.put(key, value);
            return this;
        }

        @Override
        public Attributes build() {
            return new Attributes() {
                @Override
                public String toString() {
                    return entries.toString();
                }
            };
        }
    }
}
