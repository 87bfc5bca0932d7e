package io.opentelemetry.api.metrics;

public interface ObservableDoubleGauge extends AutoCloseable {
    @Override
    void close();
}
