package io.jenkins.plugins.tao.jenkins.run;

import hudson.model.Run;
import io.jenkins.plugins.tao.backend.Diagnosis;
import io.jenkins.plugins.tao.jenkins.TaoRuntime;
import io.jenkins.plugins.tao.jenkins.page.BuildFolder;
import io.jenkins.plugins.tao.jenkins.page.TaoRunAction;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.JobSpec;
import io.jenkins.plugins.tao.journal.Journal;
import io.jenkins.plugins.tao.monitor.JobEvent;
import io.jenkins.plugins.tao.record.GpuSeries;
import io.jenkins.plugins.tao.record.RunOrigin;
import io.jenkins.plugins.tao.record.RunRecord;
import io.jenkins.plugins.tao.report.FailureCard;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.logging.Level;
import java.util.logging.Logger;

/** The journal of a job in its build. A disk that is full costs lines of it and nothing else. */
final class RunJournal {
    private static final Logger LOGGER = Logger.getLogger(RunJournal.class.getName());

    private final Journal journal;
    private final JobHandle job;
    private final Run<?, ?> run;
    private final BuildScope scope;
    private volatile String card = "";
    private volatile Optional<RunRecord> record = Optional.empty();

    RunJournal(BuildScope scope, JobHandle job) {
        this.job = job;
        run = scope.run();
        this.scope = scope;
        journal = new Journal(this::folder, Clock.systemUTC(), scope.mask()::apply);
    }

    /** Where the journal lies; asked at each use, for a build moves with its job. */
    private Path folder() {
        return BuildFolder.ofJob(run, job.key().value());
    }

    /** Tells what was asked, and of the run besides its build what {@code request} tells. */
    void asked(JobSpec spec, JobRequest request) {
        write(() -> journal.asked(spec, job));
        RunOrigin origin = BuildOrigin.of(run, request);
        for (Map.Entry<String, String> fact : request.originFacts().entrySet()) {
            origin = origin.with(fact.getKey(), fact.getValue());
        }
        RunOrigin whole = origin;
        write(() -> journal.origin(spec.gitCode()
                .map(code -> whole.with(RunOrigin.CODE, code.commit())
                        .with(RunOrigin.BRANCH, "")
                        .with(RunOrigin.DIRTY, "false"))
                .orElse(whole)));
    }

    /** Writes the record of the job whose files lie in {@code files}, and adds it to the history of the Jenkins job. */
    void conclude(Supplier<Path> files) {
        write(() -> {
            takeBack();
            record = recordOf(files);
            card = record.flatMap(FailureCard::of).orElse("");
            if (record.isPresent()) {
                TaoRunAction.of(run).update(job.key().value(), shown -> shown.knowing(ShownFacts.of(record.get())));
                JobHistory.of(run.getParent()).add(record.get());
                JobMetrics.get().ended(record.get());
                TaoRuntime.ledger().add(record.get());
                TaoRuntime.ledger()
                        .waitsBefore(record.get())
                        .judgement(record.get())
                        .ifPresent(verdict -> scope.say(job.shortName() + ": " + verdict));
            }
        });
    }

    /** Once more where the build was moved while its files were read. */
    private Optional<RunRecord> recordOf(Supplier<Path> files) throws IOException {
        Path before = files.get();
        try {
            Optional<RunRecord> made = journal.conclude(before);
            if (before.equals(files.get())) {
                return made;
            }
        } catch (IOException e) {
            if (before.equals(files.get())) {
                throw e;
            }
        }
        return journal.conclude(files.get());
    }

    /** A process that ended after it had archived the files left no others of those that a record is made of. */
    private void takeBack() throws IOException {
        for (String name : List.of(Journal.FOLLOWED, GpuSeries.FILE)) {
            Path own = folder().resolve(name);
            Path archived = BuildFolder.archived(run, job.key().value(), name);
            if (Files.notExists(own) && Files.exists(archived)) {
                Files.copy(archived, own);
            }
        }
    }

    /**
     * The files are where they stay: reports the run to MLflow.
     *
     * @param archived whether all are archived; those that Jenkins itself keeps on the same disk are then removed from the journal
     */
    void settle(boolean archived) {
        write(() -> {
            for (String name : archived ? Journal.RESULTS : List.<String>of()) {
                if (Files.exists(BuildFolder.archived(run, job.key().value(), name))) {
                    Files.deleteIfExists(folder().resolve(name));
                }
            }
        });
        try { // whatever goes wrong with it does not concern the build
            if (record.isPresent()) {
                MlflowReports.ended(
                        BuildFolder.file(run, job.key().value(), RunRecord.FILE).resolveSibling(""));
            }
        } catch (IOException | RuntimeException e) {
            LOGGER.log(Level.WARNING, e, () -> "MLflow does not get " + job.key() + " of " + folder());
        }
    }

    /** What a person needs after a failure, once the job has ended; else empty. */
    String card() {
        return card;
    }

    void watched() {
        write(() -> journal.watched(job));
    }

    void on(JobEvent event) {
        write(() -> journal.on(event));
    }

    /** What of its files was not archived, with where it stays. */
    void left(List<String> files) {
        write(() -> journal.left(job, files));
    }

    void diagnosed(Diagnosis diagnosis) {
        write(() -> journal.diagnosed(diagnosis));
    }

    /** Copies those of its files that users look for into {@code archive}; returns their names. */
    List<String> copyTo(Path archive) throws IOException {
        List<String> copied = new ArrayList<>();
        for (String name : Journal.RESULTS) {
            if (Files.exists(folder().resolve(name))) {
                Files.createDirectories(archive);
                Files.copy(folder().resolve(name), archive.resolve(name), StandardCopyOption.REPLACE_EXISTING);
                copied.add(name);
            }
        }
        return copied;
    }

    private void write(Entry entry) {
        try {
            entry.write();
        } catch (IOException e) {
            LOGGER.log(Level.WARNING, e, () -> "could not write the journal of " + job.key() + " in " + folder());
        }
    }

    /** Something to write down. */
    @FunctionalInterface
    private interface Entry {
        void write() throws IOException;
    }
}
