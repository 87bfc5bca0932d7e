package io.jenkins.plugins.tao.record;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The members of a job array by index: the metrics of each, and how it ended as far as that is told. The results of member 3 lie in the
 * folder {@code 3}.
 */
final class Members {
    /** The id of an array names its members: {@code 4711_[0-15]}, {@code 4890_[3,7]}, {@code tao-jobs/tao-study[0-15]}. */
    private static final Pattern ARRAY = Pattern.compile("(?:\\d+_|[^\\[/]+/[^\\[/]+)\\[([0-9,:-]+)]");

    private static final Pattern RANGE = Pattern.compile("(\\d{1,9}+)(?:-(\\d{1,9}+)(?::(\\d{1,9}+))?+)?+");
    private static final Pattern PLACE = Pattern.compile("(\\d{1,9})(?:/(.*))?");
    private static final Pattern FAILED = Pattern.compile("(\\d{1,9}) of \\d{1,9} members failed: (\\d.*)");
    private static final Pattern ONE_FAILED = Pattern.compile("(\\d{1,9}) \\(([^)]*)\\)");
    /** As many as an array may have. */
    private static final int MOST = 5000;

    private final NavigableMap<Integer, RunMetrics> metrics = new TreeMap<>();
    private final Map<Integer, String> failures = new LinkedHashMap<>();
    /** Whether those that are not named as failed have succeeded. */
    private final boolean othersSucceeded;

    private Members(boolean othersSucceeded) {
        this.othersSucceeded = othersSucceeded;
    }

    /** Whether a job is an array. */
    static boolean isArray(JsonNode job) {
        return ARRAY.matcher(job.path("nativeId").asText()).matches();
    }

    /**
     * Those of a job; empty when it is no array.
     *
     * @param statuses the lines of each {@code status.json} by the folder it lies in
     * @param outcome how the whole ended, as its record says it
     */
    static Optional<Members> of(JsonNode job, Map<String, List<String>> statuses, Instant submitted, JsonNode outcome) {
        Matcher array = ARRAY.matcher(job.path("nativeId").asText());
        if (!array.matches()) {
            return Optional.empty();
        }
        Map<Integer, Map<String, List<String>>> places = new TreeMap<>();
        for (String range : array.group(1).split(",", -1)) {
            add(range, places);
        }
        statuses.forEach((folder, lines) -> {
            Matcher place = PLACE.matcher(folder);
            if (place.matches()) {
                String below = Optional.ofNullable(place.group(2)).orElse("");
                places.computeIfAbsent(Integer.valueOf(place.group(1)), index -> new LinkedHashMap<>())
                        .put(below, lines);
            }
        });
        Map<Integer, String> failures = new LinkedHashMap<>();
        Matcher failed = FAILED.matcher(outcome.path("detail").asText());
        boolean all = outcome.path("word").asText().equals("succeeded");
        if (failed.find()) {
            ONE_FAILED
                    .matcher(failed.group(2))
                    .results()
                    .forEach(one -> failures.put(Integer.valueOf(one.group(1)), one.group(2)));
            boolean named = failures.size() == Integer.parseInt(failed.group(1));
            all |= named && !failed.group(2).contains("left no exit record");
        }
        Members members = new Members(all);
        members.failures.putAll(failures);
        places.forEach((index, own) -> members.metrics.put(index, RunMetrics.of(own, submitted)));
        return Optional.of(members);
    }

    private static void add(String text, Map<Integer, Map<String, List<String>>> places) {
        Matcher range = RANGE.matcher(text);
        if (!range.matches()) {
            return;
        }
        int first = Integer.parseInt(range.group(1));
        int last = range.group(2) == null ? first : Integer.parseInt(range.group(2));
        int step = range.group(3) == null ? 1 : Math.max(1, Integer.parseInt(range.group(3)));
        for (int index = first; index <= last && places.size() < MOST; index += step) {
            places.put(index, new LinkedHashMap<>());
        }
    }

    /** The metrics of all, each with the index of its member. */
    RunMetrics together() {
        return RunMetrics.ofMembers(metrics);
    }

    /** What {@code record.json} has of them: of each metric the last and the extreme values. */
    ObjectNode brief() {
        ObjectNode node = JsonNodeFactory.instance.objectNode().put("count", metrics.size());
        ObjectNode each = node.putObject("each");
        metrics.forEach((index, own) -> {
            ObjectNode member = each.putObject(String.valueOf(index));
            write(index, own, member);
            member.path("metrics").forEach(metric -> ((ObjectNode) metric).remove("curve"));
        });
        return node;
    }

    /** A line for each member of the run {@code id}, with the curves. */
    List<String> lines(String id) {
        return metrics.entrySet().stream()
                .map(entry -> {
                    ObjectNode line = JsonNodeFactory.instance
                            .objectNode()
                            .put("schema", RunRecord.SCHEMA)
                            .put("id", id)
                            .put("member", entry.getKey());
                    write(entry.getKey(), entry.getValue(), line);
                    return line.toString();
                })
                .toList();
    }

    private void write(int index, RunMetrics own, ObjectNode member) {
        if (failures.containsKey(index)) {
            member.put("outcome", "failed").put("detail", failures.get(index));
        } else if (othersSucceeded) {
            member.put("outcome", "succeeded");
        }
        ObjectNode summaries = member.putObject("metrics");
        own.series()
                .forEach((name, points) ->
                        summaries.set(name, MetricSummary.of(points).json()));
        if (!own.unreadable().isEmpty()) {
            own.unreadable().forEach(member.putArray("metricsNotNumbers")::add);
        }
    }

    /** Makes {@link #brief} smaller: first the last values alone, then fewer members; gives whether there was anything to leave out. */
    static boolean shorten(ObjectNode record) {
        if (!(record.path("members") instanceof ObjectNode members)
                || !(members.path("each") instanceof ObjectNode each)
                || each.isEmpty()) {
            return false;
        }
        boolean extremes = false;
        for (JsonNode member : each) {
            for (JsonNode metric : member.path("metrics")) {
                extremes |= ((ObjectNode) metric).remove("lowest") != null;
                extremes |= ((ObjectNode) metric).remove("highest") != null;
            }
        }
        if (!extremes) {
            List<String> indices = new java.util.ArrayList<>();
            each.fieldNames().forEachRemaining(indices::add);
            int keep = indices.size() * 9 / 10;
            each.remove(indices.subList(keep, indices.size()));
            members.put("leftOut", members.path("leftOut").asInt() + indices.size() - keep);
        }
        return true;
    }
}
