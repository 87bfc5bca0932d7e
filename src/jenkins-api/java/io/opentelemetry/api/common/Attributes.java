package io.opentelemetry.api.common;

public interface Attributes {
    static AttributesBuilder builder() {
        throw new UnsupportedOperationException();
    }
}
