package io.jenkins.plugins.tao.cli;

import java.util.Optional;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Which job file to take, and what to take instead of what it says. */
final class JobChoice {
    @Parameters(index = "0", paramLabel = "JOB_FILE", description = "The job, a YAML file.")
    String file = "";

    @Mixin
    JobOverrides overrides = new JobOverrides();

    @Option(
            names = "--id",
            paramLabel = "ID",
            description = "The job's id, instead of a new one: the same id is never started twice.")
    Optional<String> id = Optional.empty();

    /** The whole request, its file read. */
    JobRequest request(Surroundings here) throws UsageException {
        return overrides.request(file, here);
    }
}
