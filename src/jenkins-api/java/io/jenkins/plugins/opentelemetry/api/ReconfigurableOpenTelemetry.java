package io.jenkins.plugins.opentelemetry.api;

import hudson.ExtensionPoint;
import io.opentelemetry.api.metrics.Meter;

public class ReconfigurableOpenTelemetry implements ExtensionPoint {
    public static ReconfigurableOpenTelemetry get() {
        throw new UnsupportedOperationException();
    }

    public Meter getMeter(String instrumentationScopeName) {
        throw new UnsupportedOperationException();
    }
}
