package io.jenkins.plugins.tao.jenkins.page;

import io.jenkins.plugins.tao.journal.DurableFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The records of a build's jobs, in a file of their own beside {@code build.xml}. A change adds one line: its cost does not
 * grow with the number of jobs. When most of its lines are out of date the file is written anew.
 */
final class JobFile {
    private static final long SMALL = 512 * 1024L;
    private static final int OUT_OF_DATE = 8;

    private final Supplier<Path> place;
    private final Object forcing = new Object();
    private final AtomicLong bytes = new AtomicLong(-1);
    private final AtomicLong added = new AtomicLong();
    private long forced;

    /** The file at {@code place}, which is asked for anew each time: a build moves with its folder. */
    JobFile(Supplier<Path> place) {
        this.place = place;
    }

    boolean exists() {
        return Files.exists(place.get());
    }

    /** All that is known, in the order in which the jobs were added. */
    Map<String, JobRecord> read() throws IOException {
        Map<String, JobRecord> records = new LinkedHashMap<>();
        Path file = place.get();
        if (Files.exists(file)) {
            try (Stream<String> lines = Files.lines(file, StandardCharsets.ISO_8859_1)) {
                lines.forEach(line -> JobLines.read(utf8(line), records));
            }
        }
        return records;
    }

    /** Read as bytes, so that a line cut by a crash costs that line alone. */
    private static String utf8(String line) {
        return new String(line.getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8);
    }

    /**
     * Adds a change; it survives a crash of the process, and after {@link #force} one of the machine.
     *
     * @param all the records with the change, to write the file anew from
     */
    void add(@Nullable JobRecord before, JobRecord now, Collection<JobRecord> all) throws IOException {
        Path file = place.get();
        if (bytes.get() < 0) {
            Files.createDirectories(file.resolveSibling(""));
            bytes.set(Files.exists(file) ? Files.size(file) : 0);
            endLine(file);
        }
        append(file, JobLines.render(before, now) + "\n");
        added.incrementAndGet();
        if (bytes.get() > SMALL && bytes.get() / OUT_OF_DATE > all.size() * 512L) {
            writeAnew(file, all);
        }
    }

    private void endLine(Path file) throws IOException {
        if (bytes.get() > 0) {
            try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
                ByteBuffer last = ByteBuffer.allocate(1);
                channel.read(last, bytes.get() - 1);
                if (last.get(0) != '\n') {
                    append(file, "\n");
                }
            }
        }
    }

    private void append(Path file, String text) throws IOException {
        byte[] line = text.getBytes(StandardCharsets.UTF_8);
        Files.write(file, line, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        bytes.addAndGet(line.length);
    }

    private void writeAnew(Path file, Collection<JobRecord> all) throws IOException {
        DurableFile.write(
                file, all.stream().map(job -> JobLines.render(null, job) + "\n").collect(Collectors.joining()));
        bytes.set(Files.size(file));
    }

    /** Puts on the disk what was added before this call; callers at the same time share one write. */
    void force() throws IOException {
        long mine = added.get();
        synchronized (forcing) {
            if (forced < mine) {
                long covered = added.get();
                try (FileChannel channel = FileChannel.open(place.get(), StandardOpenOption.WRITE)) {
                    channel.force(false);
                }
                forced = covered;
            }
        }
    }
}
