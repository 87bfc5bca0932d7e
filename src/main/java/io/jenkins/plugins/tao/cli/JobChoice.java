package io.jenkins.plugins.tao.cli;

import java.util.Optional;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Which job file to take, and what to take instead of what it says. */
final class JobChoice {
    @Parameters(index = "0", paramLabel = "JOB_FILE", description = "The job, a YAML file.")
    String file = "";

    @Option(
            names = {"-t", "--target"},
            paramLabel = "NAME",
            description = "Where to run it, instead of the file's 'target'.")
    Optional<String> target = Optional.empty();

    @Option(names = "--image", paramLabel = "IMAGE", description = "The container image, instead of the file's.")
    Optional<String> image = Optional.empty();

    @Option(
            names = "--id",
            paramLabel = "ID",
            description = "The job's id, instead of a new one: the same id is never started twice.")
    Optional<String> id = Optional.empty();

    @Mixin
    TargetsChoice targets = new TargetsChoice();
}
