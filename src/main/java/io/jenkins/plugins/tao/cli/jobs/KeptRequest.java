package io.jenkins.plugins.tao.cli.jobs;

import io.jenkins.plugins.tao.cli.input.Gates;
import io.jenkins.plugins.tao.cli.input.JobRequest;
import io.jenkins.plugins.tao.cli.output.JobOutput;
import io.jenkins.plugins.tao.cli.records.JobEntry;
import io.jenkins.plugins.tao.cli.terminal.UsageException;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.mask.Mask;
import io.jenkins.plugins.tao.job.text.Sentences;
import io.jenkins.plugins.tao.journal.DurableFile;
import io.jenkins.plugins.tao.journal.Journal;
import io.jenkins.plugins.tao.record.RunOrigin;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What was asked of a job and of which code, kept among the records of this machine until a watch has a folder for it: between
 * {@code tao submit} and {@code tao wait} there is none.
 */
final class KeptRequest {
    private static final String REQUEST = "request.json";

    private final Path place;
    private final Mask mask;
    private final Journal journal;

    KeptRequest(Session session, JobEntry job) {
        place = session.here()
                .stateDirectory()
                .resolve("asked")
                .resolve(job.handle().key().value());
        mask = job.mask(session.here());
        journal = Journal.spare(place, session.here().clock(), mask::apply);
    }

    /** Keeps it; a disk that is full costs it and nothing else. */
    void keep(Assignment job, JobHandle handle, RunOrigin origin, JobOutput output) throws UsageException {
        try {
            journal.asked(job.spec(), handle);
            journal.origin(origin);
            keepRequest(job, handle);
            if (!Confirming.isOne(job.request())) {
                Gates.of(job.file().gates()).keep(place);
            }
            job.carries().keep(place);
        } catch (IOException e) {
            output.note("what was asked cannot be kept in " + place + ": " + Sentences.why(e));
        }
    }

    /** What has a value of a secret in it is not kept: the run cannot be repeated from its folder then. */
    private void keepRequest(Assignment job, JobHandle handle) throws IOException {
        String text = new PendingJob(
                        job.key().value(),
                        job.target().name(),
                        handle.submittedAt().toString(),
                        job.request())
                .render();
        if (mask.apply(text).equals(text)) {
            DurableFile.replace(place.resolve(REQUEST), text);
        }
    }

    /** What was asked for of the run in {@code folder}; empty where that is not kept, as of runs of version 0.9. */
    static Optional<JobRequest> request(Path folder) throws UsageException {
        Path file = folder.resolve(REQUEST);
        try {
            return Files.isRegularFile(file)
                    ? Optional.of(PendingJob.parse(Files.readString(file)).request())
                    : Optional.empty();
        } catch (IOException | IllegalArgumentException e) {
            throw new UsageException(file + " cannot be read: " + e.getMessage() + ".", e);
        }
    }

    /** Moves it to the folder of the run; what the folder has already stays. */
    void moveTo(Path folder) throws IOException {
        if (!Files.isDirectory(place)) {
            return;
        }
        boolean known = Files.exists(folder.resolve("job.json"));
        Files.createDirectories(folder);
        for (Path file : files()) {
            if (!known) {
                Files.copy(file, folder.resolve(String.valueOf(file.getFileName())));
            }
        }
        remove();
    }

    /** Forgets it; a file that stays harms nobody. */
    void remove() {
        try {
            for (Path file : files()) {
                Files.deleteIfExists(file);
            }
            Files.deleteIfExists(place);
        } catch (IOException e) {
            // the next one of this id is another job's: ids are never used twice
            return;
        }
    }

    private List<Path> files() throws IOException {
        if (!Files.isDirectory(place)) {
            return List.of();
        }
        try (Stream<Path> files = Files.list(place)) {
            return files.sorted().toList();
        }
    }
}
