package io.opentelemetry.api.common;

public interface AttributesBuilder {
    Attributes build();

    AttributesBuilder put(String key, String value);
}
