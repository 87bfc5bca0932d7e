package io.opentelemetry.api.metrics;

import java.util.function.Consumer;

public interface DoubleCounterBuilder {
    DoubleCounterBuilder setDescription(String description);

    ObservableDoubleCounter buildWithCallback(Consumer<ObservableDoubleMeasurement> callback);
}
