package io.opentelemetry.api.metrics;

import java.util.function.Consumer;

public interface DoubleGaugeBuilder {
    DoubleGaugeBuilder setDescription(String description);

    ObservableDoubleGauge buildWithCallback(Consumer<ObservableDoubleMeasurement> callback);
}
