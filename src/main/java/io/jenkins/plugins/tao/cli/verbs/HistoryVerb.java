package io.jenkins.plugins.tao.cli.verbs;

import io.jenkins.plugins.tao.cli.jobs.Session;
import io.jenkins.plugins.tao.cli.records.Runs;
import io.jenkins.plugins.tao.cli.records.TableChoice;
import io.jenkins.plugins.tao.cli.terminal.ExitCode;
import io.jenkins.plugins.tao.cli.terminal.Surroundings;
import io.jenkins.plugins.tao.cli.terminal.UsageException;
import io.jenkins.plugins.tao.gate.PastVerdict;
import io.jenkins.plugins.tao.gate.RunTable;
import io.jenkins.plugins.tao.gate.criteria.Effect;
import io.jenkins.plugins.tao.gate.statistics.Measure;
import io.jenkins.plugins.tao.job.text.Suggestions;
import io.jenkins.plugins.tao.record.RunRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(name = "history", description = "Lists the runs that have a record here, each with its time, cost and kpis.")
final class HistoryVerb extends Verb {
    @Option(names = "--kpi", paramLabel = "NAME", description = "A metric to show; may be repeated.")
    List<String> kpis = new ArrayList<>();

    @Option(
            names = "--last",
            paramLabel = "N",
            defaultValue = "30",
            description = "How many (default: ${DEFAULT-VALUE}).")
    int last;

    @Mixin
    TableChoice runs = new TableChoice();

    @Override
    ExitCode run(Session session) throws UsageException {
        Runs found = runs.read(session.here());
        List<RunRecord> all = found.records();
        List<RunRecord> shown = all.subList(Math.max(0, all.size() - last), all.size());
        RunTable table = new RunTable(shown, found.verdicts(shown), kpis);
        runs.print(session.here(), table, () -> coloured(table, shown, session.here()));
        Set<String> known = new TreeSet<>(Measure.keys());
        shown.forEach(run -> known.addAll(run.metrics().keySet()));
        kpis.stream()
                .filter(kpi -> !shown.isEmpty() && !known.contains(kpi))
                .forEach(kpi -> session.err()
                        .println("tao: none of these runs reported '" + kpi + "'. "
                                + Suggestions.advice(kpi, known, "metrics")));
        if (all.isEmpty()) {
            session.err().println("tao: " + found.none());
        }
        if (found.unreadable() > 0) {
            session.err().println(found.unreadable() + " records in " + found.folder() + " cannot be read");
        }
        return ExitCode.SUCCEEDED;
    }

    /** The lines of the table: red for a run that failed or that a gate failed, yellow for an unstable one. */
    private static String coloured(RunTable table, List<RunRecord> runs, Surroundings here) {
        List<String> lines = new ArrayList<>(runs.isEmpty() ? List.of() : table.text());
        for (int i = 0; i < runs.size(); i++) {
            Effect effect = table.worst(runs.get(i)).map(PastVerdict::effect).orElse(Effect.NOTE);
            boolean red = effect == Effect.FAILURE || !runs.get(i).succeeded();
            if (red || effect == Effect.UNSTABLE) {
                lines.set(i + 1, here.coloured(red ? "red" : "yellow", lines.get(i + 1)));
            }
        }
        return lines.stream().map(line -> line + "\n").collect(Collectors.joining());
    }
}
