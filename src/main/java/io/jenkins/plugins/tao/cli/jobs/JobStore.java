package io.jenkins.plugins.tao.cli.jobs;

import io.jenkins.plugins.tao.cli.records.JobEntry;
import io.jenkins.plugins.tao.cli.terminal.Surroundings;
import io.jenkins.plugins.tao.cli.terminal.UsageException;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.JobKey;
import io.jenkins.plugins.tao.job.text.Suggestions;
import io.jenkins.plugins.tao.journal.DurableFile;
import io.jenkins.plugins.tao.journal.Journal;
import io.jenkins.plugins.tao.monitor.WatchMemory;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** The jobs this machine knows: one small file each, and beside it what its watch must not forget. */
public record JobStore(Path directory) {
    private static final String ENTRY = ".json";
    private static final String WATCH = ".watch";
    private static final String PENDING = ".sending";
    private static final String PLACED = ".placing";

    public void save(JobEntry entry) throws UsageException {
        Path file = directory.resolve(entry.handle().key().value() + ENTRY);
        UsageException.writing(
                "The record of the job cannot be written to " + file,
                "Its token is the only way to it: " + entry.handle().token(),
                () -> DurableFile.write(file, entry.render()));
    }

    /** Records that a job is about to be sent; on return that survives a crash. */
    public void intend(PendingJob job) throws UsageException {
        Path file = directory.resolve(job.id() + PENDING);
        UsageException.writing(
                "Nothing was sent, because the record of the job cannot be written to " + file,
                "Make room there, or let XDG_STATE_HOME name another directory.",
                () -> DurableFile.write(file, job.render()));
    }

    /** Records how far a job is on its way; on return that survives a crash. */
    public void place(PlacedJob job) throws UsageException {
        Path file = directory.resolve(job.id() + PLACED);
        UsageException.writing(
                "The submission of the job stopped, because its record cannot be written to " + file,
                "Free disk space there; 'tao wait " + job.id() + "' continues the submission.",
                () -> DurableFile.write(file, job.render()));
    }

    /** How far the job of this id is with its targets; empty where that was never kept. */
    Optional<PlacedJob> placed(String id) throws UsageException {
        return read(directory.resolve(id + PLACED), PlacedJob::parse);
    }

    /** The job that {@code text} means, if it has not come to where it stays. */
    public Optional<PlacedJob> onItsWay(Optional<String> text) throws UsageException {
        if (text.isPresent()) {
            String id = text.get().strip();
            return id.contains("/") || id.startsWith("tao1:")
                    ? Optional.empty()
                    : placed(id).filter(PlacedJob::isOpen);
        }
        Optional<PlacedJob> last = onTheirWay().stream().findFirst();
        Optional<JobEntry> entry = all().stream().findFirst();
        return last.filter(job -> entry.isEmpty()
                || !job.at().isBefore(entry.get().handle().submittedAt())
                || job.known().legs().stream()
                        .anyMatch(leg -> leg.id().equals(entry.get().handle().key())));
    }

    /** The jobs that have not come to where they stay, the one asked for last first. */
    public List<PlacedJob> onTheirWay() throws UsageException {
        List<PlacedJob> jobs = new ArrayList<>();
        for (Path file : files(PLACED)) {
            read(file, PlacedJob::parse).filter(PlacedJob::isOpen).ifPresent(jobs::add);
        }
        jobs.sort(Comparator.comparing(PlacedJob::at).reversed());
        return jobs;
    }

    /** The record of a job that has come to where it stays, under whichever id that is; empty while it is on its way. */
    public Optional<JobEntry> settled(String id) throws UsageException {
        return placed(id).filter(PlacedJob::isOpen).isPresent() ? Optional.empty() : find(whereItStays(id));
    }

    /** Whether a job may be on its way: sent without an answer, or to one of its targets. */
    public boolean isOnItsWay(JobKey key) throws UsageException {
        return isPending(key) || placed(key.value()).filter(PlacedJob::isOpen).isPresent();
    }

    /** The id under which a job is where it went. */
    public String whereItStays(String id) throws UsageException {
        Optional<PlacedJob> job =
                id.contains("/") ? Optional.empty() : read(directory.resolve(id + PLACED), PlacedJob::parse);
        return job.map(PlacedSending::idWhereItStays).orElse(id);
    }

    /** Whether a job was sent and no answer is recorded. */
    public boolean isPending(JobKey key) {
        return Files.exists(directory.resolve(key.value() + PENDING));
    }

    /** Removes the record that a job is being sent. */
    void forget(JobKey key) throws UsageException {
        Path file = directory.resolve(key.value() + PENDING);
        UsageException.writing("The record " + file + " cannot be removed", "", () -> Files.deleteIfExists(file));
    }

    /** The jobs that were sent and of which no answer is recorded, the one sent last first. */
    public List<PendingJob> pending() throws UsageException {
        List<PendingJob> jobs = new ArrayList<>();
        for (Path file : files(PENDING)) {
            pending(file).ifPresent(jobs::add);
        }
        jobs.sort(Comparator.comparing(PendingJob::at).reversed());
        return jobs;
    }

    /** The job without a recorded answer that {@code text} means: an id, or nothing for the job sent last. */
    public Optional<PendingJob> pending(Optional<String> text) throws UsageException {
        if (text.isPresent()) {
            String id = text.get().strip();
            return id.contains("/") ? Optional.empty() : pending(directory.resolve(id + PENDING));
        }
        Optional<PendingJob> last = pending().stream().findFirst();
        Optional<JobEntry> entry = all().stream().findFirst();
        return last.filter(
                job -> entry.isEmpty() || job.at().isAfter(entry.get().handle().submittedAt()));
    }

    /** A job with an answer is not pending, whatever file is left of its sending. */
    private Optional<PendingJob> pending(Path file) throws UsageException {
        Optional<PendingJob> job = read(file, PendingJob::parse);
        return job.isEmpty() || find(job.get().id()).isPresent() ? Optional.empty() : job;
    }

    Optional<JobEntry> find(String id) throws UsageException {
        return id.contains("/") ? Optional.empty() : read(directory.resolve(id + ENTRY), JobEntry::parse);
    }

    /** The job that {@code text} means: a token, an id, the folder of a run, or nothing for the one submitted last. */
    JobEntry resolve(Optional<String> text, Surroundings here) throws UsageException {
        if (text.isEmpty()) {
            Optional<PendingJob> last = pending(text);
            if (last.isPresent()) {
                throw unanswered(last.get());
            }
            return all().stream()
                    .findFirst()
                    .orElseThrow(() -> new UsageException("No job is known here (" + directory
                            + "). Give a token, as 'tao submit' or taoSubmit printed it."));
        }
        String given = whereItStays(text.get().strip());
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
            Optional<PendingJob> pending = pending(text);
            if (pending.isPresent()) {
                throw unanswered(pending.get());
            }
            List<String> ids =
                    all().stream().map(entry -> entry.handle().key().value()).toList();
            throw new UsageException("No job '" + given + "' is known here. "
                    + Suggestions.meant(given, ids)
                    + "'tao list' shows the known ones; a token works from anywhere.");
        }
        return known.get();
    }

    /** The id of the job that {@code text} means, whether its sending was answered or not. */
    public String idOf(Optional<String> text, Surroundings here) throws UsageException {
        Optional<PendingJob> pending = pending(text);
        return pending.isPresent()
                ? pending.get().id()
                : resolve(text, here).handle().key().value();
    }

    private static UsageException unanswered(PendingJob job) {
        return new UsageException("The job '" + job.id() + "' was being sent at " + job.at()
                + ", and no answer is recorded: it may run. 'tao wait " + job.id()
                + "' finds it or sends it, 'tao cancel "
                + job.id() + "' ends it.");
    }

    private static Optional<JobHandle> journal(Path folder) throws UsageException {
        return UsageException.reading("The folder " + folder + " cannot be read", () -> Journal.jobOf(folder));
    }

    /** All jobs, the one submitted last first. */
    public List<JobEntry> all() throws UsageException {
        List<JobEntry> entries = new ArrayList<>();
        for (Path file : files(ENTRY)) {
            read(file, JobEntry::parse).ifPresent(entries::add);
        }
        entries.sort(Comparator.comparing((JobEntry entry) -> entry.handle().submittedAt())
                .thenComparing(JobEntry::changedAt)
                .reversed());
        return entries;
    }

    private List<Path> files(String ending) throws UsageException {
        List<Path> found = new ArrayList<>();
        if (!Files.isDirectory(directory)) {
            return found;
        }
        try (DirectoryStream<Path> files = Files.newDirectoryStream(directory, "*" + ending)) {
            files.forEach(found::add);
            return found;
        } catch (IOException | DirectoryIteratorException e) {
            throw new UsageException("The records of jobs in " + directory + " cannot be read: " + e.getMessage(), e);
        }
    }

    private static <R> Optional<R> read(Path file, Function<String, R> parse) throws UsageException {
        try {
            return Optional.of(parse.apply(Files.readString(file)));
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
