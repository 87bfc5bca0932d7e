package io.jenkins.plugins.tao.history;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** A file of lines that several processes add to. A crash can leave half a line at its end: the next one begins on its own. */
record JsonLines(Path file) {
    private static final int BLOCK = 1 << 16;
    private static final long LONGEST = 1 << 20;

    /** Adds one line; on return it survives a crash of the machine. */
    void add(String line) throws IOException {
        add(line, true);
    }

    /** Adds one line that a later one repeats; on return it survives the end of this process. */
    void note(String line) throws IOException {
        add(line, false);
    }

    private void add(String line, boolean force) throws IOException {
        Files.createDirectories(file.toAbsolutePath().resolveSibling(""));
        synchronized (JsonLines.class) { // a lock of a file is held by the process, not by the thread
            try (FileChannel channel = FileChannel.open(
                            file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
                    FileLock lock = channel.lock()) {
                long end = channel.size();
                ByteBuffer last = ByteBuffer.allocate(1);
                boolean half = lock.isValid() && end > 0 && channel.read(last, end - 1) == 1 && last.get(0) != '\n';
                ByteBuffer bytes = StandardCharsets.UTF_8.encode((half ? "\n" : "") + line + "\n");
                channel.position(end);
                while (bytes.hasRemaining()) {
                    channel.write(bytes);
                }
                if (force) {
                    channel.force(true);
                }
            }
        }
    }

    /** Takes a line; the bytes are its own until it returns. */
    interface Taker {
        void take(byte[] bytes, int length, long begin);
    }

    /**
     * Gives the lines that are not blank and begin at the byte {@code first} or behind it, before the byte {@code end};
     * one after the other, each with the byte of the file at which it begins.
     */
    void each(long first, long end, Taker taker) throws IOException {
        if (first >= end || !Files.exists(file)) {
            return;
        }
        byte[] block = new byte[BLOCK];
        byte[] line = new byte[BLOCK];
        int length = 0;
        long at = Math.max(0, first - 1); // with the end of the line before
        try (InputStream in = Files.newInputStream(file)) {
            in.skipNBytes(at);
            for (int read = in.read(block); read > 0; read = in.read(block)) {
                for (int from = 0; from < read; ) {
                    int stop = lineEnd(block, from, read);
                    line = length + stop - from <= line.length ? line : Arrays.copyOf(line, 2 * (length + stop - from));
                    System.arraycopy(block, from, line, length, stop - from);
                    length += stop - from;
                    if (stop < read) {
                        take(taker, line, length, at + stop - length, first);
                        if (at + stop + 1 >= end) {
                            return;
                        }
                        length = 0;
                    }
                    from = stop + 1;
                }
                at += read;
            }
        }
        take(taker, line, length, at - length, first);
    }

    private static int lineEnd(byte[] block, int from, int to) {
        int end = from;
        while (end < to && block[end] != '\n') {
            end++;
        }
        return end;
    }

    private static void take(Taker taker, byte[] line, int length, long begin, long first) {
        for (int i = 0; i < length && begin >= first; i++) {
            if (!Character.isWhitespace(line[i] & 0xff)) {
                taker.take(line, length, begin);
                return;
            }
        }
    }

    /** The bytes of a line that {@link #each} gave. */
    String line(long begin, int length) {
        try (InputStream in = Files.newInputStream(file)) {
            in.skipNBytes(begin);
            return new String(in.readNBytes(length), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(file + " was changed while it was read: " + e.getMessage(), e);
        }
    }

    /** All lines that are not blank; none where there is no file. A byte that is no UTF-8 damages its line alone. */
    List<String> read() throws IOException {
        List<String> lines = new ArrayList<>();
        each(
                0,
                Long.MAX_VALUE,
                (bytes, length, begin) -> lines.add(new String(bytes, 0, length, StandardCharsets.UTF_8)));
        return lines;
    }

    /** The last line that is not blank, or its end where it is longer than a line of ours can be; empty where there is none. */
    Optional<String> last() throws IOException {
        if (!Files.exists(file)) {
            return Optional.empty();
        }
        byte[] end;
        try (InputStream in = Files.newInputStream(file)) {
            in.skipNBytes(Math.max(0, Files.size(file) - LONGEST));
            end = in.readAllBytes();
        }
        return new String(end, StandardCharsets.UTF_8)
                .lines()
                .filter(line -> !line.isBlank())
                .reduce((former, next) -> next);
    }

    /**
     * The whole lines from some byte on.
     *
     * @param lines those that are not blank
     * @param next the byte after the last of them
     */
    record Read(List<String> lines, long next) {}

    /** Reads the whole lines from the byte {@code from} on; half a line at the end is left for the next time. */
    Read readFrom(long from) throws IOException {
        if (!Files.exists(file)) {
            return new Read(List.of(), from);
        }
        byte[] bytes;
        try (InputStream in = Files.newInputStream(file)) {
            in.skipNBytes(Math.min(from, Files.size(file)));
            bytes = in.readAllBytes();
        }
        int end = bytes.length;
        while (end > 0 && bytes[end - 1] != '\n') {
            end--;
        }
        List<String> lines = new String(bytes, 0, end, StandardCharsets.UTF_8)
                .lines()
                .filter(line -> !line.isBlank())
                .toList();
        return new Read(lines, from + end);
    }
}
