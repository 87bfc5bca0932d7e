package io.jenkins.plugins.tao.jenkins.run;

import io.jenkins.plugins.tao.monitor.WatchMemory;
import java.io.File;
import java.io.Flushable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Optional;

/** What one watch must not forget, in a small file of the build: written whole, forced to the disk, put in place at once. */
final class MemoryFile implements WatchMemory {
    private final Path file;
    private final Flushable log;

    /** Keeps the record of the job {@code id}; {@code log} is where the watch tells what it has read. */
    MemoryFile(File buildDirectory, String id, Flushable log) {
        this.log = log;
        file = buildDirectory.toPath().resolve("tao").resolve(id + ".json");
    }

    @Override
    public Optional<String> load() {
        try {
            return Files.exists(file) ? Optional.of(Files.readString(file).strip()) : Optional.empty();
        } catch (IOException e) {
            throw new UncheckedIOException("could not read " + file, e);
        }
    }

    @Override
    public void save(String record) {
        try {
            log.flush(); // what is noted as told must stand in the log first: a crash may repeat a line, never lose one
            Path directory = file.resolveSibling("");
            Files.createDirectories(directory);
            Path fresh = file.resolveSibling(file.getFileName() + ".new");
            try (FileChannel channel = FileChannel.open(
                    fresh, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING)) {
                ByteBuffer bytes = ByteBuffer.wrap((record + "\n").getBytes(StandardCharsets.UTF_8));
                while (bytes.hasRemaining()) {
                    channel.write(bytes);
                }
                channel.force(true);
            }
            Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            throw new UncheckedIOException("could not write " + file, e);
        }
    }
}
