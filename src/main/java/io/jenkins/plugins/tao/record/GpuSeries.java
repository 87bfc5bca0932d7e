package io.jenkins.plugins.tao.record;

import io.jenkins.plugins.tao.job.GpuUse;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** How much a run used its GPUs, as {@code gpu.csv} keeps it: a row for each GPU and sample; what is not known is empty. Pure. */
public final class GpuSeries {
    /** The name of the file in the folder of a run. */
    public static final String FILE = "gpu.csv";

    /** Its first line. */
    public static final String HEADER = "time,gpu,percent,memoryMiB\r\n";

    private static final Pattern ROW = Pattern.compile(
            "(\\d{4}-\\d\\d-\\d\\dT[0-9:.]{5,18}Z),(?:(\\d{1,7}):)?+(\\d{1,4}),(\\d{1,3}+(?:\\.\\d{1,9}+)?+)?+,(\\d{1,9}+(?:\\.\\d{1,9}+)?+)?+");

    private GpuSeries() {}

    /** The rows of these samples. */
    public static String rows(List<GpuUse> samples) {
        StringBuilder rows = new StringBuilder();
        for (GpuUse sample : samples) {
            for (GpuUse.Gpu gpu : sample.gpus()) {
                rows.append(sample.at())
                        .append(',')
                        .append(gpu.name())
                        .append(',')
                        .append(text(gpu.percent()))
                        .append(',')
                        .append(text(gpu.memoryMiB()))
                        .append("\r\n");
            }
        }
        return rows.toString();
    }

    private static String text(OptionalDouble number) {
        return number.isEmpty()
                ? ""
                : number.getAsDouble() == Math.rint(number.getAsDouble())
                        ? String.format(Locale.ROOT, "%.0f", number.getAsDouble())
                        : Double.toString(number.getAsDouble());
    }

    /** Reads rows again; lines that are none, as one that a crash has cut, pass by. */
    public static List<GpuUse> parse(List<String> lines) {
        Map<Instant, List<GpuUse.Gpu>> samples = new LinkedHashMap<>();
        for (String line : lines) {
            Matcher row = ROW.matcher(line.strip());
            if (row.matches()) {
                time(row.group(1))
                        .ifPresent(at -> samples.computeIfAbsent(at, key -> new ArrayList<>())
                                .add(gpu(row)));
            }
        }
        List<GpuUse> read = new ArrayList<>();
        samples.forEach((at, gpus) -> read.add(new GpuUse(at, gpus)));
        return read;
    }

    private static GpuUse.Gpu gpu(Matcher row) {
        int node = row.group(2) == null ? 0 : Integer.parseInt(row.group(2));
        return new GpuUse.Gpu(node, Integer.parseInt(row.group(3)), number(row.group(4)), number(row.group(5)));
    }

    /**
     * The same samples with those of several nodes put together: each node tells of its own GPUs, one after the other. A
     * sample begins anew where a node is heard for the second time.
     */
    public static List<GpuUse> together(List<GpuUse> samples) {
        List<GpuUse> rounds = new ArrayList<>();
        for (GpuUse sample : samples) {
            GpuUse last = rounds.isEmpty() ? sample : rounds.get(rounds.size() - 1);
            if (!rounds.isEmpty() && Collections.disjoint(nodes(last), nodes(sample))) {
                List<GpuUse.Gpu> all = new ArrayList<>(last.gpus());
                all.addAll(sample.gpus());
                rounds.set(rounds.size() - 1, new GpuUse(last.at(), all));
            } else {
                rounds.add(sample);
            }
        }
        return rounds;
    }

    private static List<Integer> nodes(GpuUse sample) {
        return sample.gpus().stream().map(GpuUse.Gpu::node).toList();
    }

    private static Optional<Instant> time(String text) {
        return Optional.of(RecordMaker.time(text)).filter(at -> !at.equals(Instant.EPOCH));
    }

    private static OptionalDouble number(@Nullable String text) {
        return text == null ? OptionalDouble.empty() : OptionalDouble.of(Double.parseDouble(text));
    }

    /** What the record of a run keeps of it: the greatest memory of one GPU, and the mean use of all. */
    public static Map<String, Double> summary(List<GpuUse> samples) {
        Map<String, Double> summary = new LinkedHashMap<>();
        gpus(samples)
                .map(GpuUse.Gpu::memoryMiB)
                .flatMapToDouble(OptionalDouble::stream)
                .max()
                .ifPresent(most -> summary.put("gpuMemoryMiB", most));
        gpus(samples)
                .map(GpuUse.Gpu::percent)
                .flatMapToDouble(OptionalDouble::stream)
                .average()
                .ifPresent(mean -> summary.put("gpuPercent", Math.rint(mean * 10) / 10));
        return summary;
    }

    private static Stream<GpuUse.Gpu> gpus(List<GpuUse> samples) {
        return samples.stream().flatMap(sample -> sample.gpus().stream());
    }
}
