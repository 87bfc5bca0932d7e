package io.jenkins.plugins.tao.cli;

import picocli.CommandLine.Option;

/** How the story is told. */
final class OutputChoice {
    @Option(names = "--json", description = "One JSON object a line, for scripts.")
    boolean json;

    @Option(
            names = {"-q", "--quiet"},
            description = "Only what goes wrong, and the end.")
    boolean quiet;

    @Option(names = "--no-log", description = "Without the job's own log.")
    boolean noLog;

    Verbosity verbosity() {
        return new Verbosity(quiet, !noLog);
    }

    /** Output for a job called {@code name}. */
    JobOutput open(Surroundings here, String name) {
        if (json) {
            return new JsonOutput(here.out(), here.clock(), verbosity());
        }
        return here.terminal().live() && !quiet
                ? new LiveOutput(here.out(), name, verbosity(), new StatusLine(here.width(), here.colours()))
                : new PlainOutput(here.out(), name, verbosity());
    }
}
