package io.jenkins.plugins.tao.jenkins.run;

import io.jenkins.plugins.tao.backend.Diagnosis;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.JobSpec;
import io.jenkins.plugins.tao.journal.Journal;
import io.jenkins.plugins.tao.monitor.JobEvent;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.logging.Level;
import java.util.logging.Logger;

/** The journal of a job in its build. A disk that is full costs lines of it and nothing else. */
final class RunJournal {
    private static final Logger LOGGER = Logger.getLogger(RunJournal.class.getName());

    private final Path folder;
    private final Journal journal;
    private final JobHandle job;

    RunJournal(BuildScope scope, JobHandle job) {
        this.job = job;
        folder = scope.run()
                .getRootDir()
                .toPath()
                .resolve("tao")
                .resolve(job.key().value() + ".run");
        journal = new Journal(folder, Clock.systemUTC(), scope.mask()::apply);
    }

    void asked(JobSpec spec) {
        write(() -> journal.asked(spec, job));
    }

    void watched() {
        write(() -> journal.watched(job));
    }

    void on(JobEvent event) {
        write(() -> journal.on(event));
    }

    void diagnosed(Diagnosis diagnosis) {
        write(() -> journal.diagnosed(diagnosis));
    }

    /** Copies what there is into {@code archive}, and tells the names. */
    List<String> copyTo(Path archive) throws IOException {
        List<String> copied = new ArrayList<>();
        for (String name : Journal.FILES) {
            if (Files.exists(folder.resolve(name))) {
                Files.createDirectories(archive);
                Files.copy(folder.resolve(name), archive.resolve(name), StandardCopyOption.REPLACE_EXISTING);
                copied.add(name);
            }
        }
        return copied;
    }

    private void write(Entry entry) {
        try {
            entry.write();
        } catch (IOException e) {
            LOGGER.log(Level.WARNING, e, () -> "could not write the journal of " + job.key() + " in " + folder);
        }
    }

    /** Something to write down. */
    @FunctionalInterface
    private interface Entry {
        void write() throws IOException;
    }
}
