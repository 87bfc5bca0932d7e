package io.opentelemetry.api.metrics;

public interface ObservableDoubleCounter extends AutoCloseable {
    @Override
    void close();
}
