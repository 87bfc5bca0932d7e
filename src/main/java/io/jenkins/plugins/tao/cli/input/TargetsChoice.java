package io.jenkins.plugins.tao.cli.input;

import io.jenkins.plugins.tao.cli.records.JobEntry;
import io.jenkins.plugins.tao.cli.terminal.Surroundings;
import io.jenkins.plugins.tao.cli.terminal.UsageException;
import java.util.Optional;
import picocli.CommandLine.Option;

/** Where targets are described. */
public final class TargetsChoice {
    @Option(
            names = "--targets",
            paramLabel = "FILE",
            description = "The targets file; else $TAO_TARGETS, ./tao-targets.yaml, ~/.config/tao-run/targets.yaml.")
    public Optional<String> targets = Optional.empty();

    /** A known job's target, from the targets file given now, or the one it was submitted with. */
    public Place of(JobEntry entry, Surroundings here) throws UsageException {
        return Targets.find(targets.or(entry::targetsFile), here)
                .named(entry.handle().target());
    }
}
