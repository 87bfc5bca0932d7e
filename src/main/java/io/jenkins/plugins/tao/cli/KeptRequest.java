package io.jenkins.plugins.tao.cli;

import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.journal.Journal;
import io.jenkins.plugins.tao.record.RunOrigin;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * What was asked of a job and of which code, kept among the records of this machine until a watch has a folder for it: between
 * {@code tao submit} and {@code tao wait} there is none.
 */
final class KeptRequest {
    private final Path place;
    private final Journal journal;

    KeptRequest(Session session, JobEntry job) {
        place = session.here()
                .stateDirectory()
                .resolve("asked")
                .resolve(job.handle().key().value());
        journal = new Journal(place, session.here().clock(), job.mask(session.here())::apply);
    }

    /** Keeps it; a disk that is full costs it and nothing else. */
    void keep(Assignment job, JobHandle handle, RunOrigin origin, JobOutput output) throws UsageException {
        try {
            journal.asked(job.spec(), handle);
            journal.origin(origin);
            Gates.of(job.file().gates()).keep(place);
        } catch (IOException e) {
            output.note("what was asked cannot be kept in " + place + ": " + e.getMessage());
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
