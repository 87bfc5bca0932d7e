package io.jenkins.plugins.tao.jenkins.page;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.jenkins.plugins.tao.job.GpuUse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.function.Function;
import java.util.stream.DoubleStream;

/** The curves of a job's metrics: epochs and values, a value that is no number as a gap. Pure. */
final class JobCurves {
    private static final int MOST_CURVES = 24;
    private static final int MOST_POINTS = 400;

    private static final String GPU_USE = "GPU use, %, by minute";
    private static final String LEAST_USED = "least used GPU, %, by minute";
    private static final String GPU_MEMORY = "GPU memory, MiB, by minute";

    private final Map<String, List<double[]>> curves = new LinkedHashMap<>();

    private JobCurves() {}

    /** Of the lines of {@code series.csv}: metric, epoch, step, value. */
    static JobCurves ofSeries(List<String> csv) {
        JobCurves curves = new JobCurves();
        for (String line : csv.subList(Math.min(1, csv.size()), csv.size())) {
            int last = line.lastIndexOf(',');
            int step = line.lastIndexOf(',', last - 1);
            int epoch = line.lastIndexOf(',', step - 1);
            if (epoch > 0) {
                String at = line.substring(epoch + 1, step);
                curves.add(
                        name(line.substring(0, epoch)),
                        at.isEmpty() ? line.substring(step + 1, last) : at,
                        line.substring(last + 1));
            }
        }
        return curves;
    }

    private static String name(String cell) {
        String plain = cell.startsWith("\"") && cell.endsWith("\"") && cell.length() > 1
                ? cell.substring(1, cell.length() - 1).replace("\"\"", "\"")
                : cell;
        return plain.startsWith("'") ? plain.substring(1) : plain;
    }

    /** Of what a running job has said of its progress so far. */
    static JobCurves ofProgress(List<JsonNode> events) {
        JobCurves curves = new JobCurves();
        for (JsonNode event : events) {
            String at = event.path(event.has("epoch") ? "epoch" : "step").asText();
            event.path("kpis")
                    .properties()
                    .forEach(kpi -> curves.add(kpi.getKey(), at, kpi.getValue().asText()));
        }
        return curves;
    }

    /** The same and the use of the GPUs, by the minutes since the first sample. What a node did not tell is no point. */
    JobCurves withGpus(List<GpuUse> samples) {
        for (GpuUse sample : samples) {
            double minutes =
                    Math.rint(Duration.between(samples.get(0).at(), sample.at()).toMillis() / 6000.0) / 10;
            String use = sample.gpus().size() == 1
                    ? GPU_USE
                    : GPU_USE + " (mean of " + sample.gpus().size() + ")";
            point(use, minutes, numbers(sample, GpuUse.Gpu::percent).average());
            if (sample.gpus().size() > 1) {
                point(LEAST_USED, minutes, numbers(sample, GpuUse.Gpu::percent).min());
            }
            point(GPU_MEMORY, minutes, numbers(sample, GpuUse.Gpu::memoryMiB).max());
        }
        return this;
    }

    private static DoubleStream numbers(GpuUse sample, Function<GpuUse.Gpu, OptionalDouble> of) {
        return sample.gpus().stream().map(of).flatMapToDouble(OptionalDouble::stream);
    }

    private void point(String name, double minutes, OptionalDouble value) {
        value.ifPresent(number -> curves.computeIfAbsent(name, key -> new ArrayList<>())
                .add(new double[] {minutes, Math.rint(number * 10) / 10}));
    }

    private void add(String name, String at, String value) {
        List<double[]> curve = curves.get(name);
        if (curve == null) {
            if (curves.size() == MOST_CURVES) {
                return;
            }
            curve = new ArrayList<>();
            curves.put(name, curve);
        }
        double x = number(at);
        if (!Double.isFinite(x)) {
            x = curve.size();
        }
        if (!curve.isEmpty() && curve.get(curve.size() - 1)[0] == x) {
            curve.remove(curve.size() - 1); // of one epoch the newest value
        }
        curve.add(new double[] {x, number(value)});
    }

    private static double number(String text) {
        try {
            return Double.parseDouble(text);
        } catch (NumberFormatException e) {
            return Double.NaN;
        }
    }

    /** {@code {"curves": [{"name": …, "points": [[epoch, value], …]}]}}; long curves are thinned, their ends stay. */
    ObjectNode json() {
        ObjectNode all = JsonNodeFactory.instance.objectNode();
        ArrayNode list = all.putArray("curves");
        curves.forEach((name, points) -> {
            ArrayNode into = list.addObject().put("name", name).putArray("points");
            int size = points.size();
            int shown = Math.min(size, MOST_POINTS);
            for (int i = 0; i < shown; i++) {
                double[] point = points.get(shown < 2 ? 0 : (int) ((long) i * (size - 1) / (shown - 1)));
                ArrayNode pair = into.addArray().add(point[0]);
                if (Double.isFinite(point[1])) {
                    pair.add(point[1]);
                } else {
                    pair.addNull();
                }
            }
        });
        return all;
    }
}
