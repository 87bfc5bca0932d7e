package io.jenkins.plugins.tao.cli.sweep;

import io.jenkins.plugins.tao.cli.terminal.Surroundings;
import io.jenkins.plugins.tao.cli.terminal.UsageException;
import io.jenkins.plugins.tao.journal.DurableFile;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;

/** The sweeps this machine knows: a small file each, and beside it the request that no more of its cells be started. */
public final class SweepStore {
    private final Path directory;

    public SweepStore(Surroundings here) {
        directory = here.stateDirectory().resolve("sweeps");
    }

    /** The sweep of this id; empty when there is none. */
    public Optional<SweepState> find(String id) throws UsageException {
        String name = id.strip();
        if (!name.matches("[A-Za-z0-9][A-Za-z0-9._-]*")) {
            return Optional.empty();
        }
        Path file = directory.resolve(name + ".json");
        try {
            return Optional.of(SweepState.parse(Files.readString(file)));
        } catch (NoSuchFileException e) {
            return Optional.empty();
        } catch (IOException | IllegalArgumentException e) {
            throw new UsageException(
                    "The record of the sweep " + file + " cannot be read (" + e.getMessage()
                            + "). Move it away, and send the sweep again under the same id: its jobs are found.",
                    e);
        }
    }

    /** Keeps it; on return that survives a crash. */
    void save(SweepState sweep) throws UsageException {
        Path file = directory.resolve(sweep.id() + ".json");
        UsageException.writing(
                "The record of the sweep cannot be written to " + file,
                "Make room there, or let XDG_STATE_HOME name another directory.",
                () -> DurableFile.write(file, sweep.render()));
    }

    /** Notes that no further cell of the sweep may be started, whichever process runs it. */
    public void stop(String id, String by) throws UsageException {
        UsageException.writing(
                "The sweep '" + id + "' cannot be stopped",
                "",
                () -> DurableFile.write(directory.resolve(id + ".stop"), by + "\n"));
    }

    /** Whether it was stopped. */
    boolean isStopped(String id) {
        return Files.exists(directory.resolve(id + ".stop"));
    }

    /** Takes the request back. */
    void allow(String id) throws UsageException {
        UsageException.writing(
                "The sweep '" + id + "' cannot continue",
                "",
                () -> Files.deleteIfExists(directory.resolve(id + ".stop")));
    }

    /** That no other process runs a sweep. */
    record Hold(FileChannel file) implements AutoCloseable {
        @Override
        public void close() {
            try {
                file.close();
            } catch (IOException e) {
                return; // the lock ends with this process
            }
        }
    }

    /**
     * Lets no other process run the sweep until the answer is closed, or this process has ended in any way.
     *
     * @throws UsageException if one does
     */
    Hold hold(String id) throws UsageException {
        try {
            Files.createDirectories(directory);
            FileChannel file = FileChannel.open(
                    directory.resolve(id + ".lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
            FileLock lock = locked(file);
            if (lock == null) {
                file.close();
                throw new UsageException("Another process runs the sweep '" + id
                        + "'. Wait for it, or end it first: its jobs continue; 'tao wait " + id + "' resumes it.");
            }
            return new Hold(file);
        } catch (IOException e) {
            throw new UsageException("The sweep '" + id + "' cannot be held: " + e.getMessage() + ".", e);
        }
    }

    private static @org.jspecify.annotations.Nullable FileLock locked(FileChannel file) throws IOException {
        try {
            return file.tryLock();
        } catch (OverlappingFileLockException e) {
            return null;
        }
    }
}
