package io.jenkins.plugins.tao.history;

import io.jenkins.plugins.tao.record.RunRecord;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ref.SoftReference;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** The records of all runs of one job or one folder of runs. */
public final class RunHistory {
    /** The name of the file. */
    public static final String FILE = "history.jsonl";

    private static final int MOST_READ = 16;
    private static final long SMALLEST_PART = 1 << 21; // bytes

    /** What was read last, for the gates and pages of a build; the memory is given back where it is scarce. */
    private static final Map<Path, Read> READ =
            Collections.synchronizedMap(new LinkedHashMap<>(MOST_READ, 0.75f, true) {
                @Override
                protected boolean removeEldestEntry(Map.Entry<Path, Read> eldest) {
                    return size() > MOST_READ;
                }
            });

    private final JsonLines lines;

    private record Read(List<String> state, SoftReference<Known> known) {}

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

    /** Whether the last line is no record, as half a line after a crash. */
    public boolean endsTorn() throws IOException {
        try {
            lines.last().ifPresent(RunRecord::parse);
            return false;
        } catch (IllegalArgumentException e) {
            return true;
        }
    }

    /** Reads all of them, without their curves; until the file changes, what was read last is given again. */
    public Known read() throws IOException {
        Path file = lines.file().toAbsolutePath();
        if (!Files.exists(file)) {
            return new Known(List.of(), 0);
        }
        BasicFileAttributes now = Files.readAttributes(file, BasicFileAttributes.class);
        List<String> state = List.of(now.size() + "", now.lastModifiedTime() + "", now.fileKey() + "");
        Read read = READ.get(file);
        Known known = read == null || !read.state().equals(state)
                ? null
                : read.known().get();
        if (known == null) {
            known = parse();
            READ.put(file, new Read(state, new SoftReference<>(known)));
        }
        return known;
    }

    /** Parses the file in parts, one for each core. */
    private Known parse() throws IOException {
        long size = Files.size(lines.file());
        int parts = (int) Math.min(Runtime.getRuntime().availableProcessors(), 1 + size / SMALLEST_PART);
        try {
            List<Part> parsed = IntStream.range(0, parts)
                    .parallel()
                    .mapToObj(i -> part(size * i / parts, i + 1 < parts ? size * (i + 1) / parts : Long.MAX_VALUE))
                    .toList();
            Map<String, RunRecord> records = new LinkedHashMap<>();
            parsed.forEach(part -> part.records().forEach(record -> records.put(record.id(), record)));
            return new Known(
                    sorted(records), parsed.stream().mapToInt(Part::unreadable).sum());
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    private record Part(List<RunRecord> records, int unreadable) {}

    private Part part(long first, long end) {
        List<RunRecord> records = new ArrayList<>();
        AtomicInteger unreadable = new AtomicInteger();
        try {
            lines.each(first, end, (bytes, length, begin) -> {
                try {
                    records.add(
                            RunRecord.withoutCurves(bytes, length, from -> lines.line(begin + from, length - from)));
                } catch (IllegalArgumentException e) {
                    unreadable.incrementAndGet();
                }
            });
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return new Part(records, unreadable.get());
    }

    /** Reads them, and adds those of {@code folders} that have a record and are not known: from an older build, or copied here. */
    public Known adopt(Path folders) throws IOException {
        Known known = read();
        Map<String, RunRecord> records = new LinkedHashMap<>();
        known.records().forEach(record -> records.put(record.id(), record));
        int unreadable = known.unreadable();
        for (Path file : recordsBelow(folders, records.keySet())) {
            try {
                RunRecord record = RunRecord.parse(Files.readString(file));
                if (records.putIfAbsent(record.id(), record) == null) {
                    add(record);
                }
            } catch (IllegalArgumentException e) {
                unreadable++;
            }
        }
        return records.size() == known.records().size() && unreadable == known.unreadable()
                ? known
                : new Known(sorted(records), unreadable);
    }

    /** Those of runs that are not known; the folder of a run has its id as its name. */
    private static List<Path> recordsBelow(Path folders, Set<String> known) throws IOException {
        if (!Files.isDirectory(folders)) {
            return List.of();
        }
        List<Path> found = new ArrayList<>();
        try (Stream<Path> runs = Files.list(folders)) {
            runs.filter(run -> !known.contains(String.valueOf(run.getFileName())))
                    .map(run -> run.resolve(RunRecord.FILE))
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
