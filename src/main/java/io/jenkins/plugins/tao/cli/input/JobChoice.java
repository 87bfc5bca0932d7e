package io.jenkins.plugins.tao.cli.input;

import io.jenkins.plugins.tao.cli.terminal.Surroundings;
import io.jenkins.plugins.tao.cli.terminal.UsageException;
import java.util.Optional;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Which job file to take, and what to take instead of what it says. */
public final class JobChoice {
    @Parameters(index = "0", paramLabel = "JOB_FILE", description = "The job, a YAML file.")
    public String file = "";

    @Mixin
    public JobOverrides overrides = new JobOverrides();

    @Option(
            names = "--id",
            paramLabel = "ID",
            description = "The job's id, instead of a new one: the same id is never started twice.")
    public Optional<String> id = Optional.empty();

    /** The whole request, its file read. */
    public JobRequest request(Surroundings here) throws UsageException {
        return overrides.request(file, here);
    }
}
