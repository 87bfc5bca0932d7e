package io.jenkins.plugins.tao.cli.verbs;

import io.jenkins.plugins.tao.cli.jobs.Session;
import io.jenkins.plugins.tao.cli.records.Runs;
import io.jenkins.plugins.tao.cli.records.TableChoice;
import io.jenkins.plugins.tao.cli.terminal.ExitCode;
import io.jenkins.plugins.tao.cli.terminal.UsageException;
import io.jenkins.plugins.tao.gate.RunTable;
import io.jenkins.plugins.tao.record.RunRecord;
import java.util.ArrayList;
import java.util.List;
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
        Runs known = runs.read(session.here());
        List<RunRecord> all = known.records();
        List<RunRecord> shown = all.subList(Math.max(0, all.size() - last), all.size());
        RunTable table = new RunTable(shown, kpis);
        runs.print(session.here(), table::text, table::csv, table::json, table::markdown);
        if (known.unreadable() > 0) {
            session.err().println(known.unreadable() + " records in " + known.folder() + " cannot be read");
        }
        return ExitCode.SUCCEEDED;
    }
}
