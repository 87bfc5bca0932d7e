package io.jenkins.plugins.tao.jenkins.run;

import io.jenkins.plugins.tao.monitor.WatchMemory;
import java.io.File;
import java.io.Flushable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Optional;

/** What one watch must not forget, in a small file of the build. */
final class MemoryFile implements WatchMemory {
    private final SmallFile file;
    private final Flushable log;

    /** Keeps the record of the job {@code id}; {@code log} is where the watch tells what it has read. */
    MemoryFile(File buildDirectory, String id, Flushable log) {
        this.log = log;
        file = new SmallFile(buildDirectory.toPath().resolve("tao").resolve(id + ".json"));
    }

    @Override
    public Optional<String> load() {
        return file.read();
    }

    @Override
    public void save(String record) {
        try {
            log.flush(); // what is noted as told must stand in the log first: a crash may repeat a line, never lose one
        } catch (IOException e) {
            throw new UncheckedIOException("could not write the build log", e);
        }
        file.write(record);
    }
}
