package io.jenkins.plugins.tao.jenkins.run;

import hudson.model.Run;
import io.jenkins.plugins.tao.jenkins.page.BuildFolder;
import io.jenkins.plugins.tao.monitor.WatchMemory;
import java.io.Flushable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Supplier;

/** What one watch must not forget, in a small file of the build. */
final class MemoryFile implements WatchMemory {
    private final SmallFile file;
    private final Flushable log;

    /** Keeps the record of the job {@code id} in the folder of {@code run}; {@code log} is where the watch shows what it has read. */
    MemoryFile(Run<?, ?> run, String id, Flushable log) {
        this(() -> BuildFolder.of(run), id, log);
    }

    /** The same in {@code folder}, which is asked at each use. */
    MemoryFile(Supplier<Path> folder, String id, Flushable log) {
        this.log = log;
        file = new SmallFile(() -> folder.get().resolve(id + ".json"));
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
