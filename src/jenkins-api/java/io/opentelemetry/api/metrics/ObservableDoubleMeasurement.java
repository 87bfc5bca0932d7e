package io.opentelemetry.api.metrics;

import io.opentelemetry.api.common.Attributes;

public interface ObservableDoubleMeasurement {
    void record(double value, Attributes attributes);
}
