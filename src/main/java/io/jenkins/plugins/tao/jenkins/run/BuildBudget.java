package io.jenkins.plugins.tao.jenkins.run;

import hudson.model.Run;
import io.jenkins.plugins.tao.backend.Report;
import io.jenkins.plugins.tao.cost.Budgets;
import io.jenkins.plugins.tao.cost.QueueWaits;
import io.jenkins.plugins.tao.cost.Usage;
import io.jenkins.plugins.tao.jenkins.TaoRuntime;
import io.jenkins.plugins.tao.jenkins.config.TaoGlobalConfiguration;
import io.jenkins.plugins.tao.job.JobKey;
import io.jenkins.plugins.tao.job.JobSpec;
import io.jenkins.plugins.tao.record.AskedRun;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.logging.Level;
import java.util.logging.Logger;

/** What the budgets of this controller say of one submission; what it asks for is kept until the job has ended or was not sent. */
final class BuildBudget {
    private static final Logger LOGGER = Logger.getLogger(BuildBudget.class.getName());
    private static final String NAME = "budget";

    private final AskedRun asked;

    BuildBudget(Run<?, ?> run, String target, JobKey key, JobSpec spec) {
        asked = new AskedRun(
                key.value(), target, BuildOrigin.of(run), TaoRuntime.ticker().now(), spec.resources());
    }

    /** Asks the budgets. */
    List<Report.Check> checks(boolean passed) {
        Budgets budgets = TaoGlobalConfiguration.get().accounts();
        try {
            List<Report.Check> checks = TaoRuntime.ledger().ask(asked, budgets).stream()
                    .map(BuildBudget::check)
                    .toList();
            if (!passed) {
                release();
            }
            return checks;
        } catch (IOException e) {
            LOGGER.log(Level.WARNING, e, () -> "could not read or write the ledger of all runs");
            return budgets.budgets().isEmpty()
                    ? List.of()
                    : List.of(Report.Check.warning(
                            NAME,
                            "no budget could be asked: the ledger of all runs cannot be read or written",
                            "Report this to an administrator; the log of Jenkins has the reason."));
        }
    }

    private static Report.Check check(Budgets.Answer answer) {
        return switch (answer.verdict()) {
            case PASSED -> Report.Check.passed(NAME, answer.detail());
            case WARNING -> Report.Check.warning(NAME, answer.detail(), answer.remedy());
            case REFUSED -> Report.Check.failed(NAME, answer.detail(), answer.remedy());
        };
    }

    /** How long jobs like this one waited before, a sentence; empty where too few are known. */
    Optional<String> expectedWait() {
        return waits().flatMap(QueueWaits::expectation);
    }

    /** The seconds within which half of the jobs like this one began; empty where too few are known. */
    OptionalDouble expectedSeconds() {
        return waits().map(QueueWaits::half).orElse(OptionalDouble.empty());
    }

    private Optional<QueueWaits> waits() {
        try {
            return Optional.of(TaoRuntime.ledger().waitsBefore(asked.record(Usage.GOING)));
        } catch (IOException e) {
            LOGGER.log(Level.WARNING, e, () -> "could not read the ledger of all runs");
            return Optional.empty();
        }
    }

    /** Tells that the job was not sent. */
    void release() {
        try {
            TaoRuntime.ledger().release(asked);
        } catch (IOException e) {
            LOGGER.log(Level.WARNING, e, () -> "could not write the ledger of all runs");
        }
    }
}
