package io.jenkins.plugins.tao.record;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Makes the record of a run of what the run left behind. Pure; a file that is damaged costs what it would have said. */
public final class RecordMaker {
    private static final JsonMapper JSON = new JsonMapper();
    private static final int MOST_METRICS = 60;
    private static final int MOST_CHECKPOINTS = 40;
    private static final int MOST_BYTES = 20 * 1024 - 256;

    private RecordMaker() {}

    /**
     * A record and the series that belong to it.
     *
     * @param members a line for each member of an array, with its curves; empty for a single job
     */
    public record Made(RunRecord record, RunMetrics metrics, List<String> members) {
        public Made {
            members = List.copyOf(members);
        }
    }

    /** Makes the record; empty when nothing tells which job it was. */
    public static Optional<Made> make(RunFiles files) {
        JsonNode job = read(files.job());
        if (!job.path("id").isTextual()) {
            return Optional.empty();
        }
        Course course = new Course();
        files.events().forEach(line -> course.take(read(line)));
        ObjectNode node = JSON.createObjectNode().put("schema", RunRecord.SCHEMA);
        for (String key : new String[] {"id", "target", "backend", "nativeId", "resultsDir"}) {
            if (job.path(key).isTextual()) {
                node.set(key, job.get(key));
            }
        }
        ObjectNode origin = RunOrigin.of(read(files.origin())).json();
        if (!origin.isEmpty()) {
            node.set("origin", origin);
        }
        course.write(node, job);
        files.firstError().ifPresent(error -> node.withObject("/outcome").set("firstError", error.json()));
        ObjectNode work = Work.of(job);
        course.imageDigest().ifPresent(digest -> work.set("imageDigest", digest));
        node.set("work", work);
        Instant submitted = time(job.path("submittedAt").asText());
        Optional<Members> members = Members.of(job, files.statuses(), submitted, node.path("outcome"));
        RunMetrics metrics = members.map(Members::together).orElseGet(() -> RunMetrics.of(files.statuses(), submitted));
        if (members.isPresent()) {
            node.set("members", members.get().brief());
        } else {
            metrics(node, metrics);
        }
        if (files.statusLinesLeftOut() > 0) {
            node.put("statusLinesLeftOut", files.statusLinesLeftOut());
        }
        checkpoints(node, files.checkpoints());
        bound(node);
        List<String> lines =
                members.map(all -> all.lines(node.path("id").asText())).orElse(List.of());
        return Optional.of(new Made(RunRecord.of(node), metrics, lines));
    }

    private static void metrics(ObjectNode node, RunMetrics metrics) {
        ObjectNode summaries = node.putObject("metrics");
        metrics.series().entrySet().stream()
                .limit(MOST_METRICS)
                .forEach(metric -> summaries.set(
                        metric.getKey(), MetricSummary.of(metric.getValue()).json()));
        if (metrics.series().size() > MOST_METRICS) {
            node.put("metricsLeftOut", metrics.series().size() - MOST_METRICS);
        }
        if (!metrics.unreadable().isEmpty()) {
            metrics.unreadable().stream().limit(MOST_METRICS).forEach(node.putArray("metricsNotNumbers")::add);
        }
    }

    private static void checkpoints(ObjectNode node, Map<String, Long> checkpoints) {
        checkpoints.entrySet().stream()
                .limit(MOST_CHECKPOINTS)
                .forEach(file -> node.withArray("/checkpoints")
                        .addObject()
                        .put("path", file.getKey())
                        .put("bytes", file.getValue()));
    }

    /** Drops what is in other files too, the least needed first, until the record is small. */
    private static void bound(ObjectNode node) {
        if (size(node) > MOST_BYTES) {
            node.path("metrics").forEach(metric -> ((ObjectNode) metric).remove("curve"));
        }
        if (size(node) > MOST_BYTES) {
            ((ObjectNode) node.path("work")).remove(List.of("spec", "env"));
        }
        while (size(node) > MOST_BYTES && Members.shorten(node)) {
            // each time there is less of them
        }
        if (size(node) > MOST_BYTES && node.at("/outcome/firstError") instanceof ObjectNode error) {
            error.remove("context");
        }
        if (size(node) > MOST_BYTES) {
            node.remove("checkpoints");
            ((ObjectNode) node.path("outcome")).remove("detail");
        }
        if (size(node) > MOST_BYTES) {
            node.putObject("metrics");
            node.put("metricsLeftOut", "all");
            node.remove("attempts");
        }
    }

    private static int size(ObjectNode node) {
        return node.toPrettyString().length() * 9 / 8; // some letters need more than one byte
    }

    static JsonNode read(String text) {
        try {
            JsonNode node = JSON.readTree(text);
            return node == null ? MissingNode.getInstance() : node;
        } catch (JsonProcessingException damaged) {
            return MissingNode.getInstance();
        }
    }

    static Instant time(String text) {
        try {
            return Instant.parse(text);
        } catch (DateTimeParseException unknown) {
            return Instant.EPOCH;
        }
    }
}
