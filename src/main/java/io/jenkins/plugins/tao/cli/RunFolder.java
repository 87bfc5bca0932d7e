package io.jenkins.plugins.tao.cli;

import io.jenkins.plugins.tao.backend.Diagnosis;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.JobSpec;
import io.jenkins.plugins.tao.journal.Journal;
import io.jenkins.plugins.tao.monitor.JobEvent;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/** The journal of a job, beside the files that come home; where it cannot be written, that is told once. */
final class RunFolder {
    private final Optional<Journal> journal;
    private final Path folder;
    private final JobOutput output;
    private boolean complained;

    RunFolder(Session session, WatchChoice choice, JobEntry job, JobOutput output) {
        this.output = output;
        folder = choice.folder(session.here(), job.handle());
        journal = choice.noArchive
                ? Optional.empty()
                : Optional.of(new Journal(folder, session.here().clock(), job.mask(session.here())::apply));
    }

    void asked(JobSpec spec, JobHandle job) {
        write(to -> to.asked(spec, job));
    }

    void watched(JobHandle job) {
        write(to -> to.watched(job));
    }

    void on(JobEvent event) {
        write(to -> to.on(event));
    }

    void diagnosed(Diagnosis diagnosis) {
        write(to -> to.diagnosed(diagnosis));
    }

    private void write(Entry entry) {
        if (journal.isEmpty()) {
            return;
        }
        try {
            entry.to(journal.get());
        } catch (IOException e) {
            if (!complained) {
                output.note("what happens cannot be kept in " + folder + ": " + e.getMessage());
            }
            complained = true;
        }
    }

    /** Something to write down. */
    @FunctionalInterface
    private interface Entry {
        void to(Journal journal) throws IOException;
    }
}
