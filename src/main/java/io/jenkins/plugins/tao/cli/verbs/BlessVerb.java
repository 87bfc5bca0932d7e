package io.jenkins.plugins.tao.cli.verbs;

import io.jenkins.plugins.tao.cli.jobs.Session;
import io.jenkins.plugins.tao.cli.records.RunsChoice;
import io.jenkins.plugins.tao.cli.terminal.ExitCode;
import io.jenkins.plugins.tao.cli.terminal.Surroundings;
import io.jenkins.plugins.tao.cli.terminal.UsageException;
import io.jenkins.plugins.tao.gate.criteria.Blessed;
import io.jenkins.plugins.tao.history.Baselines;
import io.jenkins.plugins.tao.record.RunRecord;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "bless",
        description = "Marks a run as good: it becomes a baseline, and without --name the level from which runs are"
                + " counted again.")
final class BlessVerb extends Verb {
    @Parameters(paramLabel = "RUN", description = "An id, a folder of a run, or a run number such as 204.")
    String run = "";

    @Option(names = "--why", required = true, paramLabel = "TEXT", description = "The reason, as free text.")
    String why = "";

    @Option(names = "--name", paramLabel = "NAME", description = "The name of the baseline (default: baseline).")
    String name = Blessed.LEVEL;

    @Option(names = "--by", paramLabel = "WHO", description = "Who blesses it (default: $USER).")
    Optional<String> by = Optional.empty();

    @Mixin
    RunsChoice runs = new RunsChoice();

    @Override
    ExitCode run(Session session) throws UsageException {
        Surroundings here = session.here();
        List<RunRecord> found = runs.read(here).named(Optional.of(run));
        RunRecord record =
                found.stream().filter(RunRecord::succeeded).findFirst().orElse(found.get(0));
        String who = by.orElseGet(() -> here.env().getOrDefault("USER", "someone"));
        Baselines baselines = runs.file(here).map(Baselines::at).orElseGet(() -> Baselines.in(runs.folder(here)));
        try {
            baselines.bless(new Blessed(name, record, who, here.now(), why));
        } catch (IllegalArgumentException e) {
            throw new UsageException(e.getMessage() + ".", e);
        } catch (IOException e) {
            throw new UsageException("The baseline cannot be written: " + e.getMessage() + ".", e);
        }
        here.out().println(record.label() + " (" + record.id() + ") is baseline '" + name + "', blessed by " + who);
        return ExitCode.SUCCEEDED;
    }
}
