package io.jenkins.plugins.tao.cli.output;

import io.jenkins.plugins.tao.cli.terminal.Surroundings;
import io.jenkins.plugins.tao.cli.terminal.Verbosity;
import java.util.Optional;
import picocli.CommandLine.Option;

/** How the story is told. */
public final class OutputChoice {
    @Option(names = "--json", description = "One JSON object a line, for scripts.")
    public boolean json;

    @Option(
            names = {"-q", "--quiet"},
            description = "Only what goes wrong, and the end.")
    public boolean quiet;

    @Option(names = "--no-log", description = "Without the job's own log.")
    boolean noLog;

    public Verbosity verbosity() {
        return new Verbosity(quiet, !noLog);
    }

    /** Output for a job called {@code name}. */
    public JobOutput open(Surroundings here, String name) {
        if (json) {
            return new JsonOutput(here.out(), here.clock(), verbosity(), Optional.empty());
        }
        return here.terminal().live() && !quiet
                ? new LiveOutput(here.out(), name, verbosity(), new StatusLine(here.width(), here.colours()))
                : new PlainOutput(here.out(), name, verbosity());
    }
}
