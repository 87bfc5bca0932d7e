package io.jenkins.plugins.tao.cli.verbs;

import io.jenkins.plugins.tao.cli.input.Targets;
import io.jenkins.plugins.tao.cli.jobs.Session;
import io.jenkins.plugins.tao.cli.records.Runs;
import io.jenkins.plugins.tao.cli.records.TableChoice;
import io.jenkins.plugins.tao.cli.terminal.ExitCode;
import io.jenkins.plugins.tao.cli.terminal.Surroundings;
import io.jenkins.plugins.tao.cli.terminal.UsageException;
import io.jenkins.plugins.tao.cost.CostTable;
import io.jenkins.plugins.tao.cost.Dimension;
import io.jenkins.plugins.tao.history.RunHistory;
import io.jenkins.plugins.tao.job.Durations;
import io.jenkins.plugins.tao.record.RunRecord;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.YearMonth;
import java.time.ZoneOffset;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
        name = "cost",
        description = "Adds up GPU-hours, queue waits and money of the runs of this user and of a folder of runs, in"
                + " groups. Prices stand in the targets file.")
final class CostVerb extends Verb {
    @Option(
            names = "--by",
            paramLabel = "LIST",
            defaultValue = "target,month",
            description = "job, build, folder, user, month, target, gpu: some of them, with commas (default:"
                    + " ${DEFAULT-VALUE}).")
    String by = "";

    @Option(
            names = "--since",
            paramLabel = "WHEN",
            description =
                    "A month (2026-11), a day (2026-11-21) or a length of time (30d): runs submitted from then on.")
    Optional<String> since = Optional.empty();

    @Option(names = "--targets", paramLabel = "FILE", description = "The targets file with the prices.")
    Optional<String> targets = Optional.empty();

    @Mixin
    TableChoice runs = new TableChoice();

    @Override
    ExitCode run(Session session) throws UsageException {
        Surroundings here = session.here();
        List<Dimension> dimensions = Dimension.parse(by);
        Instant from = from(here);
        Targets known = Targets.find(targets, here);
        Runs folder = runs.read(here);
        RunHistory.Known ledger = UsageException.reading(
                "The ledger of all runs cannot be read", () -> here.ledger().since(from));
        Map<String, RunRecord> all = new LinkedHashMap<>();
        ledger.records().forEach(run -> all.put(run.id(), run));
        folder.records().forEach(run -> all.put(run.id(), run));
        List<RunRecord> counted = all.values().stream()
                .filter(run -> !run.submittedAt().isBefore(from))
                .toList();
        CostTable table = CostTable.of(counted, dimensions, known.accounting().prices());
        runs.print(here, table, table::text);
        leftOut(here, all, folder.unreadable() + ledger.unreadable());
        return ExitCode.SUCCEEDED;
    }

    private void leftOut(Surroundings here, Map<String, RunRecord> all, int unreadable) {
        long timeless = since.isEmpty()
                ? 0
                : all.values().stream()
                        .filter(run -> run.submittedAt().equals(Instant.EPOCH))
                        .count();
        if (timeless > 0) {
            here.err().println(timeless + " runs without a known time of submission are left out");
        }
        if (unreadable > 0) {
            here.err().println(unreadable + " records cannot be read and are left out");
        }
    }

    private Instant from(Surroundings here) throws UsageException {
        if (since.isEmpty()) {
            return Instant.EPOCH;
        }
        String text = since.get();
        try {
            if (text.matches("\\d{4}-\\d{2}")) {
                return YearMonth.parse(text)
                        .atDay(1)
                        .atStartOfDay(ZoneOffset.UTC)
                        .toInstant();
            }
            if (text.matches("\\d{4}-\\d{2}-\\d{2}")) {
                return LocalDate.parse(text).atStartOfDay(ZoneOffset.UTC).toInstant();
            }
        } catch (DateTimeException e) {
            throw new UsageException("--since " + text + ": there is no such day.", e);
        }
        Duration back = Durations.parse(text)
                .orElseThrow(() -> new UsageException("--since " + text
                        + ": write a month (2026-11), a day (2026-11-21) or " + Durations.FORM + "."));
        return here.now().minus(back);
    }
}
