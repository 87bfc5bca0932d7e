package io.jenkins.plugins.tao.cli.jobs;

import io.jenkins.plugins.tao.backend.Diagnosis;
import io.jenkins.plugins.tao.cli.input.ArrayCells;
import io.jenkins.plugins.tao.cli.input.Gates;
import io.jenkins.plugins.tao.cli.input.Tracking;
import io.jenkins.plugins.tao.cli.output.JobOutput;
import io.jenkins.plugins.tao.cli.output.WatchChoice;
import io.jenkins.plugins.tao.cli.records.JobEntry;
import io.jenkins.plugins.tao.cli.records.Runs;
import io.jenkins.plugins.tao.cli.terminal.Surroundings;
import io.jenkins.plugins.tao.cli.terminal.UsageException;
import io.jenkins.plugins.tao.gate.Confirmation;
import io.jenkins.plugins.tao.history.RunHistory;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.text.Sentences;
import io.jenkins.plugins.tao.journal.Journal;
import io.jenkins.plugins.tao.monitor.JobEvent;
import io.jenkins.plugins.tao.monitor.JobResult;
import io.jenkins.plugins.tao.record.RunRecord;
import io.jenkins.plugins.tao.report.FailureCard;
import io.jenkins.plugins.tao.sweep.SweepTable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** The journal of a job, beside the files that come home; where it cannot be written, that is told once. */
final class RunFolder {
    private final Optional<Journal> journal;
    private final Path folder;
    private final JobOutput output;
    private final KeptRequest kept;
    private final Bookkeeping bookkeeping;
    private final Surroundings here;
    private final Optional<String> targetsFile;
    private boolean complained;

    RunFolder(Session session, WatchChoice choice, JobEntry job, JobOutput output) {
        this.output = output;
        here = session.here();
        targetsFile = job.targetsFile();
        kept = new KeptRequest(session, job);
        bookkeeping = new Bookkeeping(session, output::note);
        folder = choice.folder(session.here(), job.handle());
        journal = choice.noArchive
                ? Optional.empty()
                : Optional.of(new Journal(folder, session.here().clock(), job.mask(session.here())::apply));
    }

    void watched(JobHandle job) {
        write(to -> kept.moveTo(folder));
        write(to -> to.watched(job));
    }

    /** Tells the ledger how it ended, as far as that is known without files; its record takes this line's place. */
    void ended(JobResult result) {
        bookkeeping.ended(result);
    }

    void on(JobEvent event) {
        write(to -> to.on(event));
    }

    void diagnosed(Diagnosis diagnosis) {
        write(to -> to.diagnosed(diagnosis));
    }

    /** The gates that were asked of it. */
    Gates gates() throws UsageException {
        return journal.isEmpty() ? new Gates(List.of()) : Gates.kept(folder);
    }

    /** Where it lies. */
    Path path() {
        return folder;
    }

    /** The run that would settle it, where a gate asks for one; there is none without a record. */
    Optional<Confirmation> confirmation() throws UsageException {
        if (gates().confirmed().isEmpty()) {
            return Optional.empty();
        }
        Runs runs = Runs.read(folder.resolveSibling(""), Optional.empty());
        List<RunRecord> own = own(runs);
        return own.isEmpty() ? Optional.empty() : Judging.confirmation(runs, own, gates());
    }

    private List<RunRecord> own(Runs runs) {
        return runs.records().stream()
                .filter(run -> run.id().equals(String.valueOf(folder.getFileName())))
                .toList();
    }

    /** Judges a run that succeeded by its gates, if it has any; the verdict lies beside its record. */
    Optional<Judging> judged() throws UsageException {
        Gates gates = gates();
        if (gates.isEmpty()) {
            return Optional.empty();
        }
        Runs runs = Runs.read(folder.resolveSibling(""), Optional.empty());
        List<RunRecord> own = own(runs);
        if (own.isEmpty()) {
            output.note("no verdict: the run left no record in " + folder);
            return Optional.empty();
        }
        Judging judging = Judging.of(runs, own, gates.criteria());
        write(to -> judging.leave(folder));
        write(to -> judging.keep(folder.resolveSibling("")));
        return Optional.of(judging);
    }

    /** Writes the record of the run, and adds it to the history of the runs beside it; gives what a person needs after a failure. */
    String concluded(boolean quiet) {
        StringBuilder card = new StringBuilder();
        write(to -> {
            Optional<RunRecord> record = to.conclude(folder);
            if (record.isPresent()) {
                tellCells(record.get());
                FailureCard.of(record.get()).ifPresent(card::append);
                new RunHistory(folder.resolveSibling("")).add(record.get());
                new Tracking(here, output::note).ended(folder, targetsFile);
                bookkeeping.ended(record.get()).filter(verdict -> !quiet).ifPresent(output::note);
            }
        });
        if (journal.isEmpty()) {
            kept.remove();
        }
        return card.toString();
    }

    /** The cells that the members of the job are, as a table. */
    private void tellCells(RunRecord record) {
        try {
            ArrayCells cells = ArrayCells.kept(folder);
            if (!cells.cells().isEmpty()) {
                SweepTable.lines(cells.ends(record), cells.rule()).forEach(line -> output.note("  " + line));
            }
        } catch (IOException e) {
            output.note("the cells of the members of the job could not be determined: " + e.getMessage());
        }
    }

    /** Whether all that happened could be written. */
    boolean isKept() {
        return !complained;
    }

    private void write(Entry entry) {
        if (journal.isEmpty()) {
            return;
        }
        try {
            entry.to(journal.get());
        } catch (IOException e) {
            if (!complained) {
                output.note("what happens cannot be kept in " + folder + ": " + Sentences.why(e));
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
