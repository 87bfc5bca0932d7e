package io.jenkins.plugins.tao.nodes;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * The nodes that failed under jobs of one controller or one user, and until when later jobs avoid them: a file for each target, which
 * outlives builds, jobs and folders of runs. What has expired goes with the next change.
 *
 * @param folder where they are; it is made with the first one
 */
public record AvoidedNodes(Path folder) {
    private static final JsonMapper JSON = new JsonMapper();
    private static final String SUFFIX = ".json";
    private static final int SCHEMA = 1;
    /** More at once is an outage of the cluster: to avoid them all would leave nothing to run on. */
    private static final int MOST = 100;

    private static final int MOST_LETTERS = 300;

    /**
     * One node that is avoided.
     *
     * @param target where it is
     * @param node its name
     * @param since when it failed last
     * @param until when it is used again by itself
     * @param job whose failure it was
     * @param why what is known of the failure, one line
     */
    public record Entry(String target, String node, Instant since, Instant until, String job, String why) {
        /** {@code gpu02 until 2026-11-24T02:10:00Z: it failed at … under nightly #12: NODE_FAILURE, …}. */
        @Override
        public String toString() {
            return node + " until " + until + ": it failed at " + since + " under " + job + ": " + why;
        }
    }

    /**
     * What is avoided of all targets, as far as it can be read.
     *
     * @param nodes those that are known
     * @param gaps what could not be read and why, one line each
     */
    public record Look(List<Entry> nodes, List<String> gaps) {
        /** Keeps copies. */
        public Look {
            nodes = List.copyOf(nodes);
            gaps = List.copyOf(gaps);
        }
    }

    /**
     * Adds nodes that failed; one that is there already is avoided anew from now on.
     *
     * @param time for how long; nothing is added unless it is positive
     */
    public void add(String target, Set<String> nodes, String job, String why, Instant at, Duration time)
            throws IOException {
        if (nodes.isEmpty() || time.isZero() || time.isNegative()) {
            return;
        }
        Instant since = at.truncatedTo(ChronoUnit.SECONDS);
        String line = why.strip().replaceAll("\\s+", " ");
        String brief = line.length() > MOST_LETTERS ? line.substring(0, MOST_LETTERS) + " …" : line;
        change(target, entries -> {
            List<Entry> next = new ArrayList<>(nodes.stream()
                    .map(node -> new Entry(target, node, since, since.plus(time), job, brief))
                    .toList());
            entries.stream()
                    .filter(entry ->
                            !nodes.contains(entry.node()) && entry.until().isAfter(at))
                    .forEach(next::add);
            return next;
        });
    }

    /** Lets a node be used again; gives what was known of it, empty if it was not avoided. */
    public Optional<Entry> allow(String target, String node) throws IOException {
        if (!Files.exists(file(target))) {
            return Optional.empty();
        }
        List<Entry> gone = new ArrayList<>();
        change(target, entries -> {
            entries.stream().filter(entry -> entry.node().equals(node)).forEach(gone::add);
            return entries.stream().filter(entry -> !entry.node().equals(node)).toList();
        });
        return gone.stream().findFirst();
    }

    /** What is avoided of a target at {@code now}, the node that failed last first. */
    public List<Entry> of(String target, Instant now) throws IOException {
        return read(file(target), target).stream()
                .filter(entry -> entry.until().isAfter(now))
                .toList();
    }

    /** The same of all targets, by their names. */
    public List<Entry> all(Instant now) throws IOException {
        List<Entry> all = new ArrayList<>();
        for (String target : targets()) {
            all.addAll(of(target, now));
        }
        return all;
    }

    /** The same, where a list that cannot be read hides no other. */
    public Look look(Instant now) {
        List<Entry> nodes = new ArrayList<>();
        List<String> gaps = new ArrayList<>();
        try {
            for (String target : targets()) {
                try {
                    nodes.addAll(of(target, now));
                } catch (IOException e) {
                    gaps.add(gap(target, e));
                }
            }
        } catch (IOException | UncheckedIOException e) {
            gaps.add(gap("the folder of the lists", e));
        }
        return new Look(nodes, gaps);
    }

    private static String gap(String what, Exception why) {
        return what + " cannot be read: "
                + String.valueOf(why.getMessage()).replaceAll("\\s+", " ").strip();
    }

    private List<String> targets() throws IOException {
        if (!Files.isDirectory(folder)) {
            return List.of();
        }
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(file -> String.valueOf(file.getFileName()))
                    .filter(name -> name.endsWith(SUFFIX))
                    .map(name -> name.substring(0, name.length() - SUFFIX.length()))
                    .sorted()
                    .toList();
        }
    }

    private Path file(String target) {
        return folder.resolve(target + SUFFIX);
    }

    /** One at a time, in this process and in others; a reader finds the old file or the new one. */
    private void change(String target, UnaryOperator<List<Entry>> by) throws IOException {
        Files.createDirectories(folder);
        synchronized (AvoidedNodes.class) { // a lock of a file is held by the process, not by the thread
            try (FileChannel channel = FileChannel.open(
                            folder.resolve(target + ".lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                    FileLock lock = channel.lock()) {
                List<Entry> entries = by.apply(read(file(target), target)).stream()
                        .sorted(Comparator.comparing(Entry::since).reversed().thenComparing(Entry::node))
                        .limit(lock.isValid() ? MOST : 0)
                        .toList();
                write(file(target), text(entries));
            }
        }
    }

    private void write(Path file, String text) throws IOException {
        Path next = Files.createTempFile(folder, ".next", ".tmp");
        try {
            Files.writeString(next, text, StandardOpenOption.WRITE, StandardOpenOption.SYNC);
            Files.move(next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } finally {
            Files.deleteIfExists(next);
        }
    }

    private static String text(List<Entry> entries) {
        ObjectNode root = JSON.createObjectNode().put("schema", SCHEMA);
        ArrayNode nodes = root.putArray("nodes");
        entries.forEach(entry -> nodes.addObject()
                .put("node", entry.node())
                .put("since", entry.since().toString())
                .put("until", entry.until().toString())
                .put("job", entry.job())
                .put("why", entry.why()));
        return root.toPrettyString() + "\n";
    }

    private static List<Entry> read(Path file, String target) throws IOException {
        if (!Files.exists(file)) {
            return List.of();
        }
        List<Entry> entries = new ArrayList<>();
        try {
            JsonNode root = JSON.readTree(Files.readString(file, StandardCharsets.UTF_8));
            if (!root.path("nodes").isArray()) {
                throw new IOException(file + " is damaged: it has no list 'nodes'. Fix or remove it.");
            }
            for (JsonNode node : root.path("nodes")) {
                entries.add(new Entry(
                        target,
                        node.path("node").asText(),
                        Instant.parse(node.path("since").asText()),
                        Instant.parse(node.path("until").asText()),
                        node.path("job").asText(),
                        node.path("why").asText()));
            }
        } catch (com.fasterxml.jackson.core.JsonProcessingException | DateTimeException e) {
            throw new IOException(file + " is damaged: " + e.getMessage() + ". Fix or remove it.", e);
        }
        return entries;
    }
}
