package io.jenkins.plugins.tao.cli.jobs;

import io.jenkins.plugins.tao.backend.Report;
import io.jenkins.plugins.tao.cli.terminal.Surroundings;
import io.jenkins.plugins.tao.cli.terminal.UsageException;
import io.jenkins.plugins.tao.cost.Budgets;
import io.jenkins.plugins.tao.cost.Usage;
import io.jenkins.plugins.tao.history.Ledger;
import io.jenkins.plugins.tao.monitor.JobResult;
import io.jenkins.plugins.tao.record.AskedRun;
import io.jenkins.plugins.tao.record.RunOrigin;
import io.jenkins.plugins.tao.record.RunRecord;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** Keeps the ledger of this user's runs, and asks its budgets. A ledger that cannot be written costs the sums and ends no job. */
final class Bookkeeping {
    private static final String NAME = "budget";

    private final Surroundings here;
    private final Ledger ledger;
    private final Consumer<String> note;

    Bookkeeping(Session session, Consumer<String> note) {
        here = session.here();
        ledger = session.ledger();
        this.note = note;
    }

    /** What the budgets say of a job that is to be sent; unless they refuse it, what it asks for is kept. */
    List<Report.Check> checks(Assignment job, RunOrigin origin, boolean passed) {
        Budgets budgets = job.accounting().budgets();
        try {
            AskedRun asked = asked(job, origin);
            List<Report.Check> checks = new ArrayList<>(
                    ledger.ask(asked, budgets).stream().map(Bookkeeping::check).toList());
            ledger.waitsBefore(asked.record(Usage.GOING))
                    .expectation()
                    .ifPresent(waits -> checks.add(Report.Check.passed("queue", waits)));
            if (!passed) {
                ledger.release(asked);
            }
            return checks;
        } catch (IOException e) {
            String what = "the ledger of this user's runs cannot be read or written: " + e.getMessage();
            return budgets.budgets().isEmpty()
                    ? List.of()
                    : List.of(Report.Check.warning(NAME, "no budget could be asked: " + what, "Make room there."));
        }
    }

    private static Report.Check check(Budgets.Answer answer) {
        return switch (answer.verdict()) {
            case PASSED -> Report.Check.passed(NAME, answer.detail());
            case WARNING -> Report.Check.warning(NAME, answer.detail(), answer.remedy());
            case REFUSED -> Report.Check.failed(NAME, answer.detail(), answer.remedy());
        };
    }

    /** Tells that a job was not sent after all. */
    void release(Assignment job, RunOrigin origin) {
        write(() -> ledger.release(asked(job, origin)));
    }

    /**
     * Tells how a run ended.
     *
     * @return how its wait was against earlier ones, a sentence
     */
    Optional<String> ended(RunRecord record) throws IOException {
        ledger.add(record);
        return ledger.waitsBefore(record).judgement(record);
    }

    /** Tells the same of a run without files. */
    void ended(JobResult result) {
        write(() -> {
            Optional<RunRecord> asked = ledger.since(result.handle().submittedAt()).records().stream()
                    .filter(run -> run.id().equals(result.handle().key().value()))
                    .findFirst();
            if (asked.isPresent()) {
                ledger.add(asked.get().ended(result.outcome().word(), result.startedAt(), result.endedAt()));
            }
        });
    }

    private AskedRun asked(Assignment job, RunOrigin origin) {
        return new AskedRun(
                job.key().value(),
                job.target().name(),
                origin,
                here.now(),
                job.spec().resources());
    }

    private void write(UsageException.Writing entry) {
        try {
            entry.write();
        } catch (IOException e) {
            note.accept("the ledger of this user's runs cannot be written: " + e.getMessage());
        }
    }
}
