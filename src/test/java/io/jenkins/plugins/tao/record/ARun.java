package io.jenkins.plugins.tao.record;

import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.jenkins.plugins.tao.status.MetricPoint;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.OptionalDouble;
import java.util.stream.IntStream;

/** Records for tests: night after night of one training. */
public final class ARun {
    private static final Instant FIRST = Instant.parse("2026-01-01T01:00:00Z");

    private final ObjectNode node = new JsonMapper().createObjectNode();

    private ARun(int night, String id) {
        node.put("schema", 1).put("id", id);
        node.putObject("origin").put("build", "#" + night).put("job", "nightly");
        node.putObject("outcome").put("word", "succeeded");
        node.putObject("times")
                .put("submittedAt", FIRST.plus(Duration.ofDays(night)).toString())
                .put("queueSeconds", 60)
                .put("runSeconds", 3600);
        node.putObject("machines")
                .put("gpus", 8)
                .put("nodeCount", 1)
                .put("gpuType", "H100")
                .put("gpuSeconds", 28800);
        node.putObject("work")
                .put("network", "dino")
                .put("action", "train")
                .put("specHash", "aa")
                .put("image", "x:1");
        node.putObject("metrics");
    }

    /** The run of a night. */
    public static ARun of(int night) {
        return new ARun(night, "train-" + night);
    }

    /** One of several runs of a night. */
    public static ARun of(int night, int seed) {
        return new ARun(night, "train-" + night + "-" + seed).text("work", "seed", "" + seed);
    }

    /** The same with the values of a metric, one an epoch. */
    public ARun metric(String name, double... values) {
        List<MetricPoint> points = IntStream.range(0, values.length)
                .mapToObj(i -> new MetricPoint(name, OptionalDouble.of(i), OptionalDouble.empty(), values[i]))
                .toList();
        ((ObjectNode) node.path("metrics")).set(name, MetricSummary.of(points).json());
        return this;
    }

    /** The same as an array of {@code count} members, of which these have a metric, from 0 on. */
    public ARun members(int count, String name, double... values) {
        ObjectNode members = node.putObject("members").put("count", count);
        ObjectNode each = members.putObject("each");
        for (int i = 0; i < values.length; i++) {
            MetricPoint point = new MetricPoint(name, OptionalDouble.of(0), OptionalDouble.empty(), values[i]);
            ObjectNode summary = MetricSummary.of(List.of(point)).json();
            summary.remove("curve");
            each.putObject(String.valueOf(i)).putObject("metrics").set(name, summary);
        }
        return this;
    }

    /** The same with a text that stands in no group. */
    public ARun top(String key, String value) {
        node.put(key, value);
        return this;
    }

    /** The same with another text. */
    public ARun text(String group, String key, String value) {
        (group.isEmpty() ? node : node.withObject("/" + group)).put(key, value);
        return this;
    }

    /** The same with another number. */
    public ARun number(String group, String key, long value) {
        node.withObject("/" + group).put(key, value);
        return this;
    }

    /** The same without what is known of it. */
    public ARun without(String group, String key) {
        node.withObject("/" + group).remove(key);
        return this;
    }

    /** The same with another ending. */
    public ARun ended(String word) {
        return text("outcome", "word", word);
    }

    /** The record. */
    public RunRecord record() {
        return RunRecord.of(node);
    }
}
