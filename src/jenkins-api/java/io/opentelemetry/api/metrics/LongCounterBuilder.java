package io.opentelemetry.api.metrics;

public interface LongCounterBuilder {
    DoubleCounterBuilder ofDoubles();
}
