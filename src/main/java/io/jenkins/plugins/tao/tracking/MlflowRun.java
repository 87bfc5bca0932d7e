package io.jenkins.plugins.tao.tracking;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.jenkins.plugins.tao.http.Json;
import io.jenkins.plugins.tao.record.RunRecord;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What MLflow is told of one run, within the limits that {@code mlflow/utils/validation.py} sets since version 1: of a batch 1000
 * entries, of them 100 parameters and 100 tags; names of 250 letters, digits, {@code _-./} and blanks; parameters of 500 letters (6000
 * since 2.8), tags of 5000. The same record makes the same batches.
 */
final class MlflowRun {
    /** The tag by which a run is found again. */
    static final String ID_TAG = "tao_job";

    /** The tag that tells how many batches of how many are there. */
    static final String SENT_TAG = "tao_sent";

    static final int MOST_VALUES = 100_000;
    private static final int METRICS = 800;
    private static final int PARAMS = 100;
    private static final int PARAM = 500;
    private static final int TAG = 5000;

    private static final Map<String, String> PARAM_PATHS = paths("""
            target target
            backend backend
            nodes asked/nodeCount
            gpus asked/gpus
            gpu_type machines/gpuType
            network work/network
            action work/action
            image work/image
            image_digest work/imageDigest
            data work/data
            seed work/seed
            spec_hash work/specHash
            """);
    private static final Map<String, String> TAG_PATHS = paths("""
            mlflow.user origin/user
            mlflow.source.git.commit origin/code
            mlflow.source.git.branch origin/branch
            tao.build origin/build
            tao.native_id nativeId
            tao.results resultsDir
            tao.outcome outcome/word
            tao.cause outcome/cause
            tao.detail outcome/detail
            """);

    private final RunRecord run;
    private final List<Series.Value> values;
    private final Optional<String> root;

    /**
     * What is told of a run.
     *
     * @param series its {@code series.csv}, when it is there
     * @param root the address of Jenkins, below which the build's stands
     */
    MlflowRun(RunRecord run, Optional<String> series, Optional<String> root) {
        this.run = run;
        values = series.map(Series::parse).filter(all -> !all.isEmpty()).orElseGet(() -> Series.of(run));
        this.root = root;
    }

    /** A name and a path of the record on each line. */
    private static Map<String, String> paths(String lines) {
        Map<String, String> paths = new LinkedHashMap<>();
        lines.lines().map(line -> line.split(" ", 2)).forEach(pair -> paths.put(pair[0], pair[1]));
        return paths;
    }

    String id() {
        return run.id();
    }

    RunRecord record() {
        return run;
    }

    /** How it ended, in MLflow's words: {@code enum RunStatus} of {@code service.proto}. */
    String status() {
        return switch (run.outcome()) {
            case "succeeded" -> "FINISHED";
            case "cancelled" -> "KILLED";
            default -> "FAILED";
        };
    }

    /** When it ended; milliseconds of the epoch. */
    long endedAt() {
        return Math.max(0, time("times/endedAt").orElseGet(run::submittedAt).toEpochMilli());
    }

    /** The request that makes it. */
    ObjectNode create(String experiment) {
        ObjectNode body = Json.object()
                .put("experiment_id", experiment)
                .put("run_name", run.id())
                .put(
                        "start_time",
                        Math.max(
                                0,
                                time("times/startedAt")
                                        .orElseGet(run::submittedAt)
                                        .toEpochMilli()));
        ArrayNode tags = body.putArray("tags");
        entry(tags, ID_TAG, run.id());
        entry(tags, "mlflow.runName", run.id()); // what servers before 1.30 show
        entry(tags, "mlflow.source.type", "JOB");
        entry(
                tags,
                "mlflow.source.name",
                address().or(() -> run.text("origin/job")).orElse("tao"));
        return body;
    }

    /**
     * Everything else, in batches.
     *
     * @param there parameters that the run has already: they are never changed
     */
    List<ObjectNode> batches(Set<String> there) {
        List<Map.Entry<String, String>> params = params().entrySet().stream()
                .filter(param -> !there.contains(param.getKey()))
                .toList();
        List<ObjectNode> metrics = metrics();
        List<ObjectNode> batches = new ArrayList<>();
        int count = Math.max(1, Math.max(parts(metrics.size(), METRICS), parts(params().size(), PARAMS)));
        for (int i = 0; i < count; i++) {
            ObjectNode batch = Json.object();
            part(metrics, i, METRICS).forEach(batch.putArray("metrics")::add);
            ArrayNode some = batch.putArray("params");
            part(params, i, PARAMS).forEach(param -> entry(some, param.getKey(), param.getValue()));
            ArrayNode tags = batch.putArray("tags");
            if (i == 0) {
                tags().forEach((key, value) -> entry(tags, key, value));
            }
            entry(tags, SENT_TAG, (i + 1) + "/" + count);
            batches.add(batch);
        }
        return batches;
    }

    private Map<String, String> params() {
        Map<String, String> params = new LinkedHashMap<>();
        PARAM_PATHS.forEach((key, path) -> run.text(path).ifPresent(value -> params.put(key, cut(value, PARAM))));
        MlflowNames names = new MlflowNames(params.keySet());
        run.entries("work/spec").forEach((key, value) -> params.put(names.of("spec." + key), cut(value, PARAM)));
        return params;
    }

    private Map<String, String> tags() {
        Map<String, String> tags = new LinkedHashMap<>();
        TAG_PATHS.forEach((key, path) -> run.text(path).ifPresent(value -> tags.put(key, cut(value, TAG))));
        address().ifPresent(url -> tags.put("tao.url", cut(url, TAG)));
        if (values.size() > MOST_VALUES) {
            tags.put("tao.metric_values_left_out", String.valueOf(values.size() - MOST_VALUES));
        }
        return tags;
    }

    private List<ObjectNode> metrics() {
        List<ObjectNode> metrics = new ArrayList<>();
        MlflowNames names = new MlflowNames(Set.of());
        run.number("times/queueSeconds").ifPresent(wait -> metrics.add(metric("tao.queue_seconds", 0, wait)));
        run.number("times/runSeconds").ifPresent(time -> metrics.add(metric("tao.run_seconds", 0, time)));
        String hours = run.knowsGpuTimePartly() ? "tao.gpu_hours_at_least" : "tao.gpu_hours";
        run.knownGpuHours().ifPresent(time -> metrics.add(metric(hours, 0, time)));
        values.stream()
                .limit(MOST_VALUES)
                .forEach(value -> metrics.add(metric(names.of(value.metric()), value.step(), value.value())));
        return metrics;
    }

    /** No file of a run says when a value was written: all have the time of its end. NaN and infinities are texts in proto's JSON. */
    private ObjectNode metric(String name, long step, double value) {
        ObjectNode metric =
                Json.object().put("key", name).put("timestamp", endedAt()).put("step", step);
        return Double.isFinite(value) ? metric.put("value", value) : metric.put("value", Double.toString(value));
    }

    private Optional<String> address() {
        Optional<String> url = run.text("origin/url");
        return root.isPresent() ? url.map(path -> root.get().replaceAll("/+$", "") + "/" + path) : url;
    }

    private Optional<Instant> time(String path) {
        try {
            return run.text(path).map(Instant::parse);
        } catch (DateTimeException e) {
            return Optional.empty();
        }
    }

    private static void entry(ArrayNode into, String key, String value) {
        into.addObject().put("key", key).put("value", value);
    }

    private static int parts(int all, int size) {
        return (all + size - 1) / size;
    }

    private static <T> List<T> part(List<T> all, int index, int size) {
        return all.subList(Math.min(all.size(), index * size), Math.min(all.size(), (index + 1) * size));
    }

    private static String cut(String text, int most) {
        return text.length() <= most ? text : text.substring(0, most - 1) + "…";
    }
}
