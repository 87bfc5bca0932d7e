package io.jenkins.plugins.tao.jenkins.run;

import hudson.Extension;
import io.prometheus.client.Collector;
import java.util.ArrayList;
import java.util.List;

/** Gives {@link JobMetrics} to the Prometheus plugin, where it is installed: it registers each collector that is an extension. */
@Extension(optional = true)
public final class PrometheusMetrics extends Collector {
    @Override
    public List<MetricFamilySamples> collect() {
        List<MetricFamilySamples> families = new ArrayList<>();
        for (JobMetrics.Metric metric : JobMetrics.Metric.values()) {
            List<MetricFamilySamples.Sample> samples = new ArrayList<>();
            for (JobMetrics.Sample sample : JobMetrics.get().samples(metric)) {
                samples.add(new MetricFamilySamples.Sample(
                        metric.title(),
                        List.copyOf(sample.labels().keySet()),
                        List.copyOf(sample.labels().values()),
                        sample.value()));
            }
            families.add(new MetricFamilySamples(
                    metric.title(), metric.counter() ? Type.COUNTER : Type.GAUGE, metric.help(), samples));
        }
        return families;
    }
}
