package io.jenkins.plugins.opentelemetry.api;

import hudson.ExtensionPoint;

public interface OpenTelemetryLifecycleListener extends ExtensionPoint, Comparable<OpenTelemetryLifecycleListener> {
    @Override
    default int compareTo(OpenTelemetryLifecycleListener other) {
        throw new UnsupportedOperationException();
    }
}
