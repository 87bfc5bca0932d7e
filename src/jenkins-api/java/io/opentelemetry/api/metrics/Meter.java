package io.opentelemetry.api.metrics;

public interface Meter {
    LongCounterBuilder counterBuilder(String name);

    DoubleGaugeBuilder gaugeBuilder(String name);
}
