package io.jenkins.plugins.tao.record;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Who asked for a run, and of which code; known when it is submitted. What is not known is left out.
 *
 * @param facts by name, such as {@link #BUILD}; no value is blank
 */
public record RunOrigin(Map<String, String> facts) {
    /** {@code jenkins} or {@code cli}. */
    public static final String DOOR = "door";

    /** The full name of the Jenkins job, or the name in the job file. */
    public static final String JOB = "job";

    /** What the runs of one night share, such as {@code #204}. */
    public static final String BUILD = "build";

    /** When the build began, ISO 8601: it tells two builds of one number apart. */
    public static final String BUILD_AT = "buildAt";

    /** The address of the build below Jenkins' own. */
    public static final String URL = "url";

    /** The branch of the code. */
    public static final String BRANCH = "branch";

    /** The commit. */
    public static final String CODE = "code";

    /** {@code true} when the code had changes that were not committed, else {@code false}. */
    public static final String DIRTY = "dirty";

    /** Who started it. */
    public static final String USER = "user";

    /** The build whose suspect value this run confirms. */
    public static final String CONFIRMS = "confirms";

    /** The id of the run that this one repeats to confirm its value. */
    public static final String CONFIRMED_RUN = "confirmedRun";

    /** The good build whose version this run repeats, beside the run that {@link #CONFIRMS} the same build: both are a pair. */
    public static final String BESIDE = "beside";

    /** The values of the cell of a sweep that it is. */
    public static final String CELL = "cell";

    /** The id of the sweep that it belongs to. */
    public static final String SWEEP = "sweep";

    /** The values that its cell has in common with its repeats, those of other seeds. */
    public static final String GROUP = "group";

    /** Nothing is known. */
    public static final RunOrigin UNKNOWN = new RunOrigin(Map.of());

    public RunOrigin {
        facts = new LinkedHashMap<>(facts);
        facts.values().removeIf(String::isBlank);
    }

    /** The same with one more fact; a blank one is none. */
    public RunOrigin with(String name, String value) {
        Map<String, String> more = new LinkedHashMap<>(facts);
        more.put(name, value);
        return new RunOrigin(more);
    }

    /** One fact. */
    public Optional<String> fact(String name) {
        return Optional.ofNullable(facts.get(name));
    }

    /** As JSON. */
    public ObjectNode json() {
        ObjectNode node = JsonNodeFactory.instance.objectNode();
        facts.forEach(node::put);
        return node;
    }

    /** Reads what {@link #json} wrote; what is no text passes by. */
    public static RunOrigin of(JsonNode node) {
        Map<String, String> facts = new LinkedHashMap<>();
        node.properties().forEach(fact -> {
            if (fact.getValue().isTextual()) {
                facts.put(fact.getKey(), fact.getValue().textValue());
            }
        });
        return new RunOrigin(facts);
    }
}
