package io.jenkins.plugins.tao.cli;

import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.journal.DurableFile;
import io.jenkins.plugins.tao.journal.Journal;
import io.jenkins.plugins.tao.monitor.WatchMemory;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** The jobs this machine knows: one small file each, and beside it what its watch must not forget. */
final class JobStore {
    private static final String ENTRY = ".json";
    private static final String WATCH = ".watch";

    private final Path directory;

    JobStore(Path directory) {
        this.directory = directory;
    }

    void save(JobEntry entry) throws UsageException {
        Path file = directory.resolve(entry.handle().key().value() + ENTRY);
        try {
            DurableFile.write(file, entry.render());
        } catch (IOException e) {
            throw new UsageException(
                    "The record of the job cannot be written to " + file + ": " + e.getMessage()
                            + ". Its token is the only way to it: "
                            + entry.handle().token(),
                    e);
        }
    }

    Optional<JobEntry> find(String id) throws UsageException {
        return id.contains("/") ? Optional.empty() : read(directory.resolve(id + ENTRY));
    }

    /** The job that {@code text} means: a token, an id, the folder of a run, or nothing for the one submitted last. */
    JobEntry resolve(Optional<String> text, Surroundings here) throws UsageException {
        if (text.isEmpty()) {
            return all().stream()
                    .findFirst()
                    .orElseThrow(() -> new UsageException("No job is known here (" + directory
                            + "). Give a token, as 'tao submit' or taoSubmit printed it."));
        }
        String given = text.get().strip();
        if (given.startsWith("tao1:")) {
            JobHandle handle = JobHandle.parse(given);
            return find(handle.key().value()).orElseGet(() -> JobEntry.ofToken(handle));
        }
        Optional<JobHandle> journal = journal(here.path(given));
        if (journal.isPresent()) {
            return find(journal.get().key().value()).orElseGet(() -> JobEntry.ofToken(journal.get()));
        }
        Optional<JobEntry> known = find(given);
        if (known.isEmpty()) {
            List<String> ids =
                    all().stream().map(entry -> entry.handle().key().value()).toList();
            throw new UsageException("No job '" + given + "' is known here. "
                    + Keys.nearest(given, ids)
                            .map(near -> "Did you mean '" + near + "'? ")
                            .orElse("")
                    + "'tao list' shows the known ones; a token works from anywhere.");
        }
        return known.get();
    }

    private static Optional<JobHandle> journal(Path folder) throws UsageException {
        try {
            return Journal.jobOf(folder);
        } catch (IOException e) {
            throw new UsageException("The folder " + folder + " cannot be read: " + e.getMessage(), e);
        }
    }

    /** All jobs, the one submitted last first. */
    List<JobEntry> all() throws UsageException {
        List<JobEntry> entries = new ArrayList<>();
        if (!Files.isDirectory(directory)) {
            return entries;
        }
        try (DirectoryStream<Path> files = Files.newDirectoryStream(directory, "*" + ENTRY)) {
            for (Path file : files) {
                read(file).ifPresent(entries::add);
            }
        } catch (IOException e) {
            throw new UsageException("The records of jobs in " + directory + " cannot be read: " + e.getMessage(), e);
        }
        entries.sort(Comparator.comparing((JobEntry entry) -> entry.handle().submittedAt())
                .thenComparing(JobEntry::changedAt)
                .reversed());
        return entries;
    }

    private static Optional<JobEntry> read(Path file) throws UsageException {
        try {
            return Optional.of(JobEntry.parse(Files.readString(file)));
        } catch (NoSuchFileException e) {
            return Optional.empty();
        } catch (IOException | IllegalArgumentException e) {
            throw new UsageException(
                    "The record " + file + " cannot be read (" + e.getMessage()
                            + "). Move it away, and use the job's token instead of its id.",
                    e);
        }
    }

    /** What the watch of {@code job} must not forget. */
    WatchMemory memory(JobHandle job) {
        Path file = directory.resolve(job.key().value() + WATCH);
        return new WatchMemory() {
            @Override
            public Optional<String> load() {
                try {
                    return Optional.of(Files.readString(file).strip()).filter(text -> !text.isEmpty());
                } catch (NoSuchFileException e) {
                    return Optional.empty();
                } catch (IOException e) {
                    throw new UncheckedIOException("what is known of the watch cannot be read", e);
                }
            }

            @Override
            public void save(String record) {
                try {
                    DurableFile.write(file, record + "\n");
                } catch (IOException e) {
                    throw new UncheckedIOException("the state of the watch cannot be written", e);
                }
            }
        };
    }
}
