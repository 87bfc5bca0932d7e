package io.jenkins.plugins.tao.record;

import static io.jenkins.plugins.tao.job.Require.require;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.IntFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What one run was, as {@code record.json} says it; its schema is {@code run-record.schema.json}. What is not known is absent. Keys of newer
 * versions pass by and are kept.
 */
public final class RunRecord {
    /** The version of the schema that this build writes. It reads all from 1 on. */
    public static final int SCHEMA = 1;

    /** The name of the file in the folder of a run. */
    public static final String FILE = "record.json";

    /** The file beside it that has the curves of the members of an array, a line each. */
    public static final String MEMBERS = "members.jsonl";

    private static final double SECONDS_PER_HOUR = 3600;

    /** The GPU time of the members of an array whose time is known, where that of others is not. */
    static final String AT_LEAST = "gpuSecondsAtLeast";

    /** The key of a text that says why {@code status.json} lacks its oldest lines; absent where it is whole. */
    public static final String FRONT = "frontMissing";

    private static final JsonMapper JSON = new JsonMapper();
    private static final Pattern OF_MEMBER = Pattern.compile("(.+) \\[(\\d{1,9}+)(?:/([^\\]]++))?+]");

    /** What {@link #brief} keeps: the parts, and of each the keys, all where none is named. */
    private static final Map<String, List<String>> BRIEF = new LinkedHashMap<>();

    static {
        BRIEF.put("schema", List.of());
        BRIEF.put("id", List.of());
        BRIEF.put("target", List.of());
        BRIEF.put("backend", List.of());
        BRIEF.put("origin", List.of("door", "job", "build", "url", "user"));
        BRIEF.put("outcome", List.of("word", "cause"));
        BRIEF.put("times", List.of());
        BRIEF.put("asked", List.of());
        BRIEF.put("machines", List.of("gpus", "nodeCount", "gpuType", "gpuSeconds", AT_LEAST));
        BRIEF.put("work", List.of("network", "action"));
    }

    /** Compiled once: each is asked of each run of a history. */
    private static final Map<String, JsonPointer> PATHS = new ConcurrentHashMap<>();

    private final ObjectNode node;
    /** Where the record is read with its curves; empty where {@link #node} has them. */
    private final Optional<IntFunction<String>> source;

    private final Instant submittedAt;
    /** Asked of each run of a history many times. */
    private final RunOrigin origin;

    private RunRecord(ObjectNode node) {
        this(node, Optional.empty());
    }

    private RunRecord(ObjectNode node, Optional<IntFunction<String>> source) {
        require(node.path("schema").isInt() && node.path("schema").intValue() >= 1, "a run record needs a schema");
        require(node.path("id").isTextual(), "a run record needs an id");
        this.node = node;
        this.source = source;
        submittedAt = submitted();
        origin = RunOrigin.of(node.path("origin"));
    }

    /** The record that {@code node} holds; it is copied. */
    static RunRecord of(ObjectNode node) {
        return new RunRecord(node.deepCopy());
    }

    /**
     * Reads a record.
     *
     * @throws IllegalArgumentException if the text is none, with the reason
     */
    public static RunRecord parse(String text) {
        return new RunRecord(object(text));
    }

    /**
     * Reads a record and keeps it without its curves.
     *
     * @param line the record as one line in UTF-8; it is overwritten
     * @param source gives the line again, from one of its bytes on; it is asked each time that a curve or the whole record is wanted
     * @throws IllegalArgumentException if the line is none, with the reason
     */
    public static RunRecord withoutCurves(byte[] line, int length, IntFunction<String> source) {
        String text = new String(line, 0, CurveCut.cut(line, length), StandardCharsets.UTF_8);
        return new RunRecord(object(text), Optional.of(source));
    }

    private static ObjectNode object(String text) {
        JsonNode read = tree(text);
        require(read instanceof ObjectNode, "a run record is a JSON object");
        return (ObjectNode) read;
    }

    private static JsonNode tree(String text) {
        try {
            return JSON.readTree(text);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("it is no JSON: " + e.getOriginalMessage(), e);
        }
    }

    private ObjectNode whole() {
        return source.isEmpty() ? node : object(source.get().apply(0));
    }

    /** The record as one line of JSON. */
    public String line() {
        return whole().toString();
    }

    /** The record as a file. */
    public String render() {
        return whole().toPrettyString() + "\n";
    }

    /** The same with what tells of cost, waits and nodes alone: some hundred bytes, for a file with the runs of all jobs. */
    public RunRecord brief() {
        ObjectNode brief = JSON.createObjectNode();
        BRIEF.forEach((group, keys) -> {
            JsonNode part = node.path(group);
            if (part instanceof ObjectNode object && !keys.isEmpty()) {
                brief.set(group, object.deepCopy().retain(keys));
            } else if (!part.isMissingNode()) {
                brief.set(group, part.deepCopy());
            }
        });
        return new RunRecord(brief);
    }

    /** The same with another ending, as it is known without the files of the run. */
    public RunRecord ended(String word, Optional<Instant> startedAt, Instant endedAt) {
        ObjectNode ended = whole().deepCopy();
        ended.withObject("/outcome").put("word", word);
        ObjectNode times = ended.withObject("/times").put("endedAt", endedAt.toString());
        startedAt.ifPresent(start -> {
            long seconds = Math.max(0, Duration.between(start, endedAt).toSeconds());
            times.put("startedAt", start.toString()).put("runSeconds", seconds);
            Instant submitted = submittedAt();
            if (!submitted.equals(Instant.EPOCH)) {
                times.put(
                        "queueSeconds",
                        Math.max(0, Duration.between(submitted, start).toSeconds()));
            }
            JsonNode gpus = node.path("asked").path("gpus");
            if (gpus.isInt()) {
                int nodes = node.path("asked").path("nodeCount").asInt(1);
                ended.withObject("/machines")
                        .put("gpus", gpus.intValue())
                        .put("nodeCount", nodes)
                        .put("gpuSeconds", seconds * gpus.intValue() * nodes);
            }
        });
        return new RunRecord(ended);
    }

    /** The job's id. */
    public String id() {
        return node.path("id").textValue();
    }

    /** What people call the run: its build such as {@code #204}, else its id. */
    public String label() {
        return text("origin/build").orElseGet(this::id);
    }

    /** What such a run is called every night: its network and action, else its id without the number of the run. */
    public String workName() {
        String work =
                text("work/network").orElse("") + " " + text("work/action").orElse("");
        return work.isBlank() ? jobName() : work.strip();
    }

    /** Its id without the number of the run, which is how the job was named. */
    public String jobName() {
        return id().replaceFirst("-([0-9a-f]{6,}|\\d+)$", "");
    }

    /** {@code succeeded}, {@code failed}, {@code cancelled} or {@code lost}. */
    public String outcome() {
        return text("outcome/word").orElse("lost");
    }

    /** Whether it did what it should. */
    public boolean succeeded() {
        return outcome().equals("succeeded");
    }

    /** When it was submitted; the beginning of time where no record tells. */
    public Instant submittedAt() {
        return submittedAt;
    }

    private Instant submitted() {
        return moment("times/submittedAt").orElse(Instant.EPOCH);
    }

    /** When it ended; when it was submitted where no record tells. */
    public Instant endedAt() {
        return moment("times/endedAt").orElseGet(this::submittedAt);
    }

    private Optional<Instant> moment(String path) {
        try {
            return text(path).map(Instant::parse);
        } catch (DateTimeParseException e) {
            return Optional.empty();
        }
    }

    private JsonNode at(String path) {
        return node.at(PATHS.computeIfAbsent(path, keys -> JsonPointer.compile("/" + keys)));
    }

    /** The text at {@code path}, keys parted by slashes; a number or a truth is given as text too. */
    public Optional<String> text(String path) {
        JsonNode at = at(path);
        return at.isValueNode() && !at.isNull() && !at.asText().isBlank() ? Optional.of(at.asText()) : Optional.empty();
    }

    /** The GPU-hours as far as they are known; empty where nothing of them is. */
    public OptionalDouble knownGpuHours() {
        OptionalDouble seconds = number("machines/" + (knowsGpuTimePartly() ? AT_LEAST : "gpuSeconds"));
        return seconds.isEmpty() ? seconds : OptionalDouble.of(seconds.getAsDouble() / SECONDS_PER_HOUR);
    }

    /** Whether the GPU time of some members of an array alone is known. */
    public boolean knowsGpuTimePartly() {
        return at("machines/" + AT_LEAST).isNumber();
    }

    /** The number at {@code path}; empty when it is absent or no number. */
    public OptionalDouble number(String path) {
        JsonNode at = at(path);
        return at.isNumber() ? OptionalDouble.of(at.doubleValue()) : OptionalDouble.empty();
    }

    /** The texts of the list at {@code path}. */
    public List<String> texts(String path) {
        List<String> texts = new ArrayList<>();
        at(path).forEach(entry -> texts.add(entry.asText()));
        return texts;
    }

    /** The values of the object at {@code path} as text. */
    public Map<String, String> entries(String path) {
        Map<String, String> entries = new LinkedHashMap<>();
        at(path).properties()
                .forEach(entry -> entries.put(entry.getKey(), entry.getValue().asText()));
        return entries;
    }

    /** The attempts before the last: cause and detail, as far as they are known. */
    public List<Map<String, String>> attempts() {
        List<Map<String, String>> attempts = new ArrayList<>();
        node.path("attempts").forEach(attempt -> {
            Map<String, String> facts = new LinkedHashMap<>();
            attempt.properties().forEach(fact -> {
                if (fact.getValue().isTextual()) {
                    facts.put(fact.getKey(), fact.getValue().textValue());
                }
            });
            attempts.add(facts);
        });
        return attempts;
    }

    /** The first error of its logs, after a failure. */
    public Optional<FirstError> firstError() {
        return FirstError.of(at("outcome/firstError"));
    }

    /** Its metrics by name. */
    public Map<String, MetricSummary> metrics() {
        Map<String, MetricSummary> metrics = new LinkedHashMap<>();
        node.path("metrics").properties().forEach(metric -> metrics.put(metric.getKey(), summary(metric.getValue())));
        return metrics;
    }

    private MetricSummary summary(JsonNode metric) {
        return MetricSummary.of(metric, this::curve);
    }

    private JsonNode curve(int begin) {
        return tree(source.orElseThrow().apply(begin));
    }

    /** One metric; of one member of an array where its index stands behind, as in {@code mIoU [3]}. */
    public Optional<MetricSummary> metric(String name) {
        JsonNode found = node.path("metrics").path(name);
        if (found.isObject()) {
            return Optional.of(summary(found));
        }
        Matcher of = OF_MEMBER.matcher(name);
        if (!of.matches()) {
            return Optional.empty();
        }
        String own = of.group(3) == null ? of.group(1) : of.group(1) + " [" + of.group(3) + "]";
        return Optional.ofNullable(ofMembers(own).get(Integer.valueOf(of.group(2))));
    }

    /** How many members the run has, where it is an array; 0 for a single job. */
    public int members() {
        return at("members/count").asInt();
    }

    /** One metric of each member that has it, by index; without the curve. */
    public Map<Integer, MetricSummary> ofMembers(String name) {
        Map<Integer, MetricSummary> found = new TreeMap<>();
        at("members/each").properties().forEach(member -> {
            JsonNode metric = member.getValue().path("metrics").path(name);
            if (metric.isObject() && member.getKey().matches("\\d{1,9}")) {
                found.put(Integer.valueOf(member.getKey()), summary(metric));
            }
        });
        return found;
    }

    /** The names of metrics that members of an array have. */
    public Set<String> metricsOfMembers() {
        Set<String> names = new TreeSet<>();
        at("members/each").forEach(member -> member.path("metrics").fieldNames().forEachRemaining(names::add));
        return names;
    }

    /** Who asked for it, and of which code. */
    public RunOrigin origin() {
        return origin;
    }

    /** Two that were read without their curves are equal without them. */
    @Override
    public boolean equals(Object other) {
        return other instanceof RunRecord record
                && record.id().equals(id())
                && (record.source.isPresent() == source.isPresent()
                        ? record.node.equals(node)
                        : record.whole().equals(whole()));
    }

    @Override
    public int hashCode() {
        return id().hashCode();
    }

    @Override
    public String toString() {
        return label();
    }
}
