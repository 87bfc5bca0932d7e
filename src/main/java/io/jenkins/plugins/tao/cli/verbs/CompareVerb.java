package io.jenkins.plugins.tao.cli.verbs;

import io.jenkins.plugins.tao.cli.jobs.Session;
import io.jenkins.plugins.tao.cli.records.Runs;
import io.jenkins.plugins.tao.cli.records.RunsChoice;
import io.jenkins.plugins.tao.cli.terminal.ExitCode;
import io.jenkins.plugins.tao.cli.terminal.TableFormat;
import io.jenkins.plugins.tao.cli.terminal.UsageException;
import io.jenkins.plugins.tao.gate.RunComparison;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "compare",
        description = "Compares two runs or baselines: each kpi with its change, and what else changed.")
final class CompareVerb extends Verb {
    @Parameters(index = "0", paramLabel = "BEFORE", description = "An id, a run number such as 204, or a baseline.")
    String before = "";

    @Parameters(index = "1", arity = "0..1", paramLabel = "NOW", description = "The same; else the newest run.")
    Optional<String> now = Optional.empty();

    @Option(
            names = "--format",
            paramLabel = "FORM",
            defaultValue = "TEXT",
            description = "text, csv or markdown (default: text).")
    TableFormat format = TableFormat.TEXT;

    @Mixin
    RunsChoice runs = new RunsChoice();

    @Override
    ExitCode run(Session session) throws UsageException {
        Runs known = runs.read(session.here());
        RunComparison comparison = new RunComparison(known.named(Optional.of(before)), known.named(now));
        session.out()
                .print(
                        switch (format) {
                            case TEXT -> comparison.text();
                            case CSV -> comparison.csv();
                            case MARKDOWN -> comparison.markdown();
                            case JSON -> throw new UsageException("compare knows text, csv and markdown.");
                        });
        session.out().flush();
        return ExitCode.SUCCEEDED;
    }
}
