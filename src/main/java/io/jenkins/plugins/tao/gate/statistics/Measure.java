package io.jenkins.plugins.tao.gate.statistics;

import io.jenkins.plugins.tao.record.MetricSummary;
import io.jenkins.plugins.tao.record.RunMetrics;
import io.jenkins.plugins.tao.record.RunRecord;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import lombok.RequiredArgsConstructor;

/** What can be measured of each run beside its kpis. */
@RequiredArgsConstructor
public enum Measure {
    DURATION("duration", "s", Direction.LOWER),
    EPOCH_TIME("epochTime", "s", Direction.LOWER),
    THROUGHPUT("throughput", "", Direction.HIGHER),
    GPU_HOURS("gpuHours", "h", Direction.LOWER),
    QUEUE_WAIT("queueWait", "s", Direction.LOWER),
    MEMORY("memory", "MiB", Direction.LOWER);

    private static final List<String> THROUGHPUTS =
            List.of("throughput", "samples_per_second", "samples/s", "images_per_second", "fps", "tokens_per_second");
    private static final List<String> MEMORIES =
            List.of("gpu_memory_mib", "max_memory_allocated", "gpu_memory", "memory");

    private final String key;
    private final String unit;
    private final Direction direction;

    /** As a gate names it. */
    public String key() {
        return key;
    }

    /** The unit of its values; empty where it has none. */
    public String unit() {
        return unit;
    }

    public Direction direction() {
        return direction;
    }

    /** As gates name them. */
    public static List<String> keys() {
        return Arrays.stream(values()).map(Measure::key).toList();
    }

    public static Optional<Measure> named(String name) {
        return Arrays.stream(values())
                .filter(measure -> measure.key.equals(name))
                .findFirst();
    }

    /** The value of one run; empty when it is not known. */
    public OptionalDouble of(RunRecord run) {
        return switch (this) {
            case DURATION -> run.number("times/runSeconds");
            case QUEUE_WAIT -> run.number("times/queueSeconds");
            case GPU_HOURS -> run.knowsGpuTimePartly() ? OptionalDouble.empty() : run.knownGpuHours();
            case EPOCH_TIME -> epochTime(run);
            case THROUGHPUT -> first(run, THROUGHPUTS);
            case MEMORY -> {
                OptionalDouble noted = run.number("machines/gpuMemoryMiB");
                yield noted.isPresent() ? noted : first(run, MEMORIES);
            }
        };
    }

    /** The median: the first epoch warms up. */
    private static OptionalDouble epochTime(RunRecord run) {
        double[] times = run.metric(RunMetrics.EPOCH_TIME).map(MetricSummary::curve).orElse(List.of()).stream()
                .mapToDouble(MetricSummary.Point::value)
                .filter(Double::isFinite)
                .toArray();
        return times.length == 0 ? OptionalDouble.empty() : OptionalDouble.of(Numbers.median(times));
    }

    private static OptionalDouble first(RunRecord run, List<String> names) {
        Map<String, MetricSummary> metrics = run.metrics();
        return metrics.entrySet().stream()
                .filter(metric -> names.contains(metric.getKey().toLowerCase(java.util.Locale.ROOT)))
                .mapToDouble(metric -> metric.getValue().last())
                .findFirst();
    }
}
