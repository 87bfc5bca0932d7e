package io.jenkins.plugins.tao.history;

import io.jenkins.plugins.tao.record.RunRecord;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** The records of all runs of one job or one folder of runs. */
public final class RunHistory {
    /** The name of the file. */
    public static final String FILE = "history.jsonl";

    private final JsonLines lines;

    /** The history in {@code folder}, which is made with the first record. */
    public RunHistory(Path folder) {
        lines = new JsonLines(folder.resolve(FILE));
    }

    /**
     * What was read.
     *
     * @param records one for each id, the newest line of it; by the time of their submission
     * @param unreadable how many lines are no record, as half a line after a crash
     */
    public record Known(List<RunRecord> records, int unreadable) {
        public Known {
            records = List.copyOf(records);
        }
    }

    /** Adds the record of a run; one that was there before is replaced. */
    public void add(RunRecord record) throws IOException {
        lines.add(record.line());
    }

    /** Reads all of them. */
    public Known read() throws IOException {
        Map<String, RunRecord> records = new LinkedHashMap<>();
        int unreadable = 0;
        for (String line : lines.read()) {
            try {
                RunRecord record = RunRecord.parse(line);
                records.put(record.id(), record);
            } catch (IllegalArgumentException e) {
                unreadable++;
            }
        }
        return new Known(sorted(records), unreadable);
    }

    /** Reads them, and adds those of {@code folders} that have a record and are not known: from an older build, or copied here. */
    public Known adopt(Path folders) throws IOException {
        Known known = read();
        Map<String, RunRecord> records = new LinkedHashMap<>();
        known.records().forEach(record -> records.put(record.id(), record));
        int unreadable = known.unreadable();
        for (Path file : recordsBelow(folders)) {
            try {
                RunRecord record = RunRecord.parse(Files.readString(file));
                if (records.putIfAbsent(record.id(), record) == null) {
                    add(record);
                }
            } catch (IllegalArgumentException e) {
                unreadable++;
            }
        }
        return new Known(sorted(records), unreadable);
    }

    private static List<Path> recordsBelow(Path folders) throws IOException {
        if (!Files.isDirectory(folders)) {
            return List.of();
        }
        List<Path> found = new ArrayList<>();
        try (Stream<Path> runs = Files.list(folders)) {
            runs.map(run -> run.resolve(RunRecord.FILE))
                    .filter(Files::isRegularFile)
                    .sorted()
                    .forEach(found::add);
        }
        return found;
    }

    private static List<RunRecord> sorted(Map<String, RunRecord> records) {
        return records.values().stream()
                .sorted(Comparator.comparing(RunRecord::submittedAt).thenComparing(RunRecord::id))
                .toList();
    }
}
