package io.jenkins.plugins.tao.history;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.jenkins.plugins.tao.gate.criteria.Blessed;
import io.jenkins.plugins.tao.gate.criteria.Comparability;
import io.jenkins.plugins.tao.record.RunRecord;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The runs that people blessed, each with its whole record: nothing else has to be there any more. The file can lie in a repository. */
public final class Baselines {
    /** The name of the file. */
    public static final String FILE = "baselines.jsonl";

    private static final JsonMapper JSON = new JsonMapper();
    private static final Pattern NAME = Pattern.compile("\"name\"\\s*:\\s*(\"(?:[^\"\\\\]|\\\\.)*\")");

    private final JsonLines lines;

    private Baselines(Path file) {
        lines = new JsonLines(file);
    }

    /** Those in {@code folder}. */
    public static Baselines in(Path folder) {
        return new Baselines(folder.resolve(FILE));
    }

    /** Those in {@code file}, such as one of a repository. */
    public static Baselines at(Path file) {
        return new Baselines(file);
    }

    /**
     * What was read.
     *
     * @param all all blessings that can be read, the oldest first
     * @param unreadable names of baselines whose newest line cannot be read, and why
     */
    public record Known(List<Blessed> all, Map<String, String> unreadable) {
        /** The newest of each name that {@code run} can be compared with; where there is none, the newest: its difference is named then. */
        public Map<String, Blessed> newestFor(RunRecord run) {
            Map<String, Blessed> newest = newest();
            all.stream()
                    .filter(blessed -> newest.containsKey(blessed.name()))
                    .filter(blessed ->
                            Comparability.differences(run, blessed.record()).isEmpty())
                    .forEach(blessed -> newest.put(blessed.name(), blessed));
            return newest;
        }

        /** All blessed levels, the oldest first. */
        public List<Blessed> levels() {
            return all.stream()
                    .filter(blessed -> blessed.name().equals(Blessed.LEVEL))
                    .toList();
        }

        /** The newest of each name. */
        public Map<String, Blessed> newest() {
            Map<String, Blessed> newest = new LinkedHashMap<>();
            all.forEach(blessed -> newest.put(blessed.name(), blessed));
            unreadable.keySet().forEach(newest::remove);
            return newest;
        }
    }

    /**
     * Blesses a run.
     *
     * @throws IllegalArgumentException if it did not succeed, or a reason is lacking
     */
    public void bless(Blessed blessed) throws IOException {
        lines.add(line(blessed));
    }

    /**
     * The line of a file of baselines that keeps a blessing.
     *
     * @throws IllegalArgumentException if the run did not succeed, or a reason is lacking
     */
    public static String line(Blessed blessed) {
        if (!blessed.record().succeeded()) {
            throw new IllegalArgumentException(blessed.record().label() + " "
                    + blessed.record().outcome() + ": only a run that succeeded can be blessed");
        }
        if (blessed.why().isBlank()) {
            throw new IllegalArgumentException("a blessing needs a reason");
        }
        ObjectNode node = JSON.createObjectNode()
                .put("schema", 1)
                .put("name", blessed.name())
                .put("by", blessed.by())
                .put("at", blessed.at().toString())
                .put("why", blessed.why());
        node.set("record", tree(blessed.record().line()));
        return node.toString();
    }

    /** Reads all of them. */
    public Known read() throws IOException {
        return parse(lines.read(), String.valueOf(lines.file().getFileName()));
    }

    /**
     * Reads the lines of a file of baselines, wherever it lies.
     *
     * @param file its name, for people
     */
    public static Known parse(List<String> lines, String file) {
        List<Blessed> all = new ArrayList<>();
        Map<String, String> unreadable = new LinkedHashMap<>();
        for (String line : lines) {
            JsonNode node = tree(line);
            String name = node.path("name").asText(nameIn(line));
            try {
                all.add(new Blessed(
                        name,
                        RunRecord.parse(node.path("record").toString()),
                        node.path("by").asText("someone"),
                        Instant.parse(node.path("at").asText()),
                        node.path("why").asText()));
                unreadable.remove(name);
            } catch (IllegalArgumentException | DateTimeParseException e) {
                unreadable.put(name, "a line of " + file + " is damaged: " + e.getMessage());
            }
        }
        return new Known(all, unreadable);
    }

    /** The name that a line has, which may be half a line; that of the level where it has none. */
    private static String nameIn(String line) {
        Matcher match = NAME.matcher(line);
        return match.find() ? tree(match.group(1)).asText(Blessed.LEVEL) : Blessed.LEVEL;
    }

    private static JsonNode tree(String line) {
        try {
            return JSON.readTree(line);
        } catch (JsonProcessingException e) {
            return JSON.createObjectNode();
        }
    }
}
