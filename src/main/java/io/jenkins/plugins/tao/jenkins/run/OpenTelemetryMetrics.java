package io.jenkins.plugins.tao.jenkins.run;

import hudson.Extension;
import io.jenkins.plugins.opentelemetry.api.OpenTelemetryLifecycleListener;
import io.jenkins.plugins.opentelemetry.api.ReconfigurableOpenTelemetry;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.common.AttributesBuilder;
import io.opentelemetry.api.metrics.Meter;
import io.opentelemetry.api.metrics.ObservableDoubleMeasurement;

/** Gives {@link JobMetrics} to the OpenTelemetry plugin, where it is installed; its meters stay when its settings change. */
@Extension(optional = true)
public final class OpenTelemetryMetrics implements OpenTelemetryLifecycleListener {
    /** Called once, by Jenkins. */
    public OpenTelemetryMetrics() {
        this(ReconfigurableOpenTelemetry.get().getMeter("io.jenkins.plugins.tao"));
    }

    OpenTelemetryMetrics(Meter meter) {
        for (JobMetrics.Metric metric : JobMetrics.Metric.values()) {
            String name = name(metric);
            if (metric.counter()) {
                var unused = meter.counterBuilder(name)
                        .ofDoubles()
                        .setDescription(metric.help())
                        .buildWithCallback(measured -> record(metric, measured));
            } else {
                var unused = meter.gaugeBuilder(name)
                        .setDescription(metric.help())
                        .buildWithCallback(measured -> record(metric, measured));
            }
        }
    }

    /** {@code tao.runs} for {@code tao_runs_total}: an exporter to Prometheus adds the end itself. */
    private static String name(JobMetrics.Metric metric) {
        return metric.title().replaceFirst("_total$", "").replaceFirst("_", ".");
    }

    private static void record(JobMetrics.Metric metric, ObservableDoubleMeasurement measured) {
        JobMetrics.get().samples(metric).forEach(sample -> {
            AttributesBuilder attributes = Attributes.builder();
            sample.labels().forEach(attributes::put);
            measured.record(sample.value(), attributes.build());
        });
    }
}
