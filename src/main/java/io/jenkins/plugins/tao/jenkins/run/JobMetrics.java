package io.jenkins.plugins.tao.jenkins.run;

import hudson.Extension;
import hudson.ExtensionList;
import io.jenkins.plugins.tao.job.Outcome;
import io.jenkins.plugins.tao.record.RunRecord;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.DoubleAdder;

/**
 * What monitoring systems are told of the jobs of all builds: which are watched now, and sums since this process began. A run whose wait or
 * GPU time is not known adds nothing to the sum and is counted beside it.
 */
@Extension
public final class JobMetrics {
    static final String OTHER = "other";
    /** A monitoring system keeps a series for each target that it ever saw. */
    static final int MOST_TARGETS = 100;

    private final Set<String> targets = new TreeSet<>();
    private final Map<Metric, Map<Map<String, String>, DoubleAdder>> sums = new ConcurrentHashMap<>();

    /** What there is. */
    enum Metric {
        JOBS("Jobs that builds watch now, by the state they were last seen in", false),
        RUNS_TOTAL("Jobs that ended, by outcome; fault is machine, program or none", true),
        GPU_SECONDS_TOTAL("GPU time of jobs that ended", true),
        RUN_SECONDS_TOTAL("Time on machines of jobs that ended", true),
        QUEUE_SECONDS_TOTAL("Waits for machines of jobs that ended", true),
        QUEUE_WAITS_TOTAL("Jobs that ended and whose wait is known", true),
        UNMEASURED_TOTAL("Jobs that ended and whose GPU time is not known", true);

        private final String help;
        private final boolean counter;

        Metric(String help, boolean counter) {
            this.help = help;
            this.counter = counter;
        }

        /** Such as {@code tao_runs_total}. */
        String title() {
            return "tao_" + name().toLowerCase(Locale.ROOT);
        }

        String help() {
            return help;
        }

        /** Whether it only ever grows. */
        boolean counter() {
            return counter;
        }
    }

    /** One value, by the labels in their order. */
    record Sample(Map<String, String> labels, double value) {}

    static JobMetrics get() {
        return ExtensionList.lookupSingleton(JobMetrics.class);
    }

    /** Counts a job that has ended. */
    void ended(RunRecord run) {
        String target = known(run.text("target").orElse(OTHER));
        Map<String, String> labels = new LinkedHashMap<>(Map.of("target", target));
        Map<String, String> ends = new LinkedHashMap<>(labels);
        ends.put("outcome", run.outcome());
        ends.put("fault", fault(run));
        add(Metric.RUNS_TOTAL, ends, 1);
        sum(Metric.RUN_SECONDS_TOTAL, labels, run.number("times/runSeconds"));
        OptionalDouble wait = run.number("times/queueSeconds");
        if (sum(Metric.QUEUE_SECONDS_TOTAL, labels, wait)) {
            add(Metric.QUEUE_WAITS_TOTAL, labels, 1);
        }
        if (!sum(Metric.GPU_SECONDS_TOTAL, labels, run.number("machines/gpuSeconds"))) {
            add(Metric.UNMEASURED_TOTAL, labels, 1);
        }
    }

    private static String fault(RunRecord run) {
        if (!run.outcome().equals("failed")) {
            return "none";
        }
        return run.text("outcome/cause")
                .flatMap(Outcome.Cause::named)
                .map(cause -> cause.infrastructure() ? "machine" : "program")
                .orElse("unknown");
    }

    private boolean sum(Metric metric, Map<String, String> labels, OptionalDouble value) {
        value.ifPresent(number -> add(metric, labels, Math.max(0, number)));
        return value.isPresent();
    }

    private void add(Metric metric, Map<String, String> labels, double value) {
        sums.computeIfAbsent(metric, any -> new ConcurrentHashMap<>())
                .computeIfAbsent(labels, any -> new DoubleAdder())
                .add(value);
    }

    private synchronized String known(String target) {
        if (!targets.contains(target) && targets.size() < MOST_TARGETS) {
            targets.add(target);
        }
        return targets.contains(target) ? target : OTHER;
    }

    /** The values of one metric now; none where nothing was seen. */
    List<Sample> samples(Metric metric) {
        Map<Map<String, String>, Double> values = new LinkedHashMap<>();
        if (metric == Metric.JOBS) {
            LiveBuilds.get()
                    .watches()
                    .values()
                    .forEach(watches -> watches.forEach(watch -> values.merge(watched(watch), 1.0, Double::sum)));
        } else {
            sums.getOrDefault(metric, Map.of()).forEach((labels, sum) -> values.put(labels, sum.sum()));
        }
        List<Sample> samples = new ArrayList<>();
        values.forEach((labels, value) -> samples.add(new Sample(labels, value)));
        return samples;
    }

    private Map<String, String> watched(WatchRun watch) {
        Map<String, String> labels = new LinkedHashMap<>();
        labels.put("target", known(watch.job().target()));
        labels.put("state", watch.state().name().toLowerCase(Locale.ROOT));
        return labels;
    }
}
