package io.prometheus.client;

import java.util.List;

/** Of simpleclient 0.16.0: what a collector extends, and what it gives. */
public abstract class Collector {
    protected Collector() {}

    public abstract List<MetricFamilySamples> collect();

    public enum Type {
        COUNTER,
        GAUGE
    }

    public static class MetricFamilySamples {
        public final String name;
        public final Type type;
        public final List<Sample> samples;

        public MetricFamilySamples(String name, Type type, String help, List<Sample> samples) {
            this.name = name;
            this.type = type;
            this.samples = samples;
        }

        public static class Sample {
            public final String name;
            public final List<String> labelNames;
            public final List<String> labelValues;
            public final double value;

            public Sample(String name, List<String> labelNames, List<String> labelValues, double value) {
                this.name = name;
                this.labelNames = labelNames;
                this.labelValues = labelValues;
                this.value = value;
            }
        }
    }
}
