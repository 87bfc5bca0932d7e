package io.jenkins.plugins.tao.journal;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.jenkins.plugins.tao.backend.ArtifactSink;
import io.jenkins.plugins.tao.record.FirstError;
import io.jenkins.plugins.tao.record.GpuSeries;
import io.jenkins.plugins.tao.record.RunFiles;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Reads what a run left in its folder and among the files that came home, as much as its record needs.
 *
 * @param folder with the journal
 * @param home where its files are; may be the same
 */
record RunLeavings(Path folder, Path home) {
    private static final String STATUS = "status.json";
    private static final Pattern CHECKPOINT = Pattern.compile(".*\\.(pth|tlt|hdf5|ckpt|pt|safetensors|onnx|engine)");
    private static final int DEEPEST = 8;
    private static final int MOST_FILES = 20_000;
    /** Of all status files together: some ten thousand lines. */
    private static final long MOST_CHARACTERS = 16L << 20;

    /** A training, its evaluation and what else one job runs. */
    private static final int FEW = 4;

    private static final int MOST_STATUS_FILES = 1000;

    RunFiles read() throws IOException {
        Map<String, List<String>> statuses = new LinkedHashMap<>();
        Map<String, Long> checkpoints = new LinkedHashMap<>();
        long room = MOST_CHARACTERS;
        long leftOut = 0;
        List<Path> files = files();
        long left = files.stream()
                .filter(RunLeavings::isStatus)
                .limit(MOST_STATUS_FILES)
                .count();
        for (Path file : files) {
            String path = home.relativize(file).toString().replace('\\', '/');
            if (path.endsWith(STATUS) && statuses.size() < MOST_STATUS_FILES) {
                String place =
                        path.substring(0, path.length() - STATUS.length()).replaceFirst("/$", "");
                long share = left > FEW ? room / left : room; // so that the last members of an array have some too
                BoundedLines.Read read = BoundedLines.of(file, share, RunLeavings::tells);
                left--;
                statuses.put(place.replaceFirst("^results(/|$)", ""), read.lines());
                room -= read.characters();
                leftOut += read.leftOut();
            } else if (CHECKPOINT.matcher(path).matches()) {
                checkpoints.put(path, Files.size(file));
            }
        }
        List<String> events = BoundedLines.of(
                        folder.resolve("events.jsonl"),
                        MOST_CHARACTERS,
                        line -> !line.startsWith("{\"event\":\"progress\""))
                .lines();
        events = withFollowed(withUse(events), statuses);
        Optional<FirstError> error =
                RunLogs.failed(events) ? new RunLogs(home, events).firstError(files) : Optional.empty();
        return new RunFiles(text("job.json"), text("origin.json"), events, statuses, checkpoints, leftOut, error);
    }

    /** What the samples of its GPUs tell of the whole run, as an event. */
    private List<String> withUse(List<String> events) throws IOException {
        Path file = folder.resolve(GpuSeries.FILE);
        if (!Files.isRegularFile(file)) {
            return events;
        }
        Map<String, Double> summary = GpuSeries.summary(GpuSeries.parse(
                BoundedLines.of(file, MOST_CHARACTERS, line -> true).lines()));
        ObjectNode event = EventJson.event("machine");
        summary.forEach(event.putObject("machine")::put);
        List<String> all = new ArrayList<>(events);
        all.add(event.toString());
        return all;
    }

    /** Of a log whose front the node has put away, and of one that is gone, what was followed counts too. */
    private List<String> withFollowed(List<String> events, Map<String, List<String>> statuses) throws IOException {
        Predicate<String> cut = line -> line.startsWith("{\"event\":\"cut\"");
        List<String> written = statuses.isEmpty() || events.stream().anyMatch(cut)
                ? BoundedLines.of(
                                folder.resolve(FollowedStatus.FILE),
                                MOST_CHARACTERS,
                                line -> tells(line) || line.startsWith(FollowedStatus.MARK))
                        .lines()
                : List.of();
        boolean members = statuses.keySet().stream().anyMatch(place -> place.matches("\\d{1,9}(?:/.*)?"));
        if (written.isEmpty()
                || members) { // the lines of members were followed one after another, without their indices
            return events;
        }
        FollowedStatus all = new FollowedStatus(written).with(statuses.getOrDefault("", List.of()));
        statuses.put("", all.lines());
        List<String> known = new ArrayList<>(events);
        if (all.isWhole()) {
            known.removeIf(cut);
        } else if (events.stream().noneMatch(cut)) {
            String text = ArtifactSink.FRONT + "status.json: its log is gone, and was not followed from its start";
            known.add(EventJson.event("cut").put("text", text).toString());
        }
        return known;
    }

    private static boolean isStatus(Path file) {
        return file.toString().endsWith(STATUS);
    }

    private static boolean tells(String line) {
        return line.contains("kpi") || line.contains("graphical") || line.contains("STARTED") || line.contains("epoch");
    }

    private List<Path> files() throws IOException {
        if (!Files.isDirectory(home)) {
            return List.of();
        }
        try (Stream<Path> all = Files.walk(home, DEEPEST)) {
            return all.filter(Files::isRegularFile).limit(MOST_FILES).sorted().toList();
        } catch (UncheckedIOException e) { // as a walk tells what it cannot read
            throw new IOException(e.getMessage(), e);
        }
    }

    private String text(String name) throws IOException {
        Path file = folder.resolve(name);
        return Files.isRegularFile(file) ? Files.readString(file) : "";
    }
}
