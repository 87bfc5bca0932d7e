package io.jenkins.plugins.tao.cli;

import java.util.Optional;
import picocli.CommandLine.Option;

/** Where targets are described. */
final class TargetsChoice {
    @Option(
            names = "--targets",
            paramLabel = "FILE",
            description = "The targets file; else $TAO_TARGETS, ./tao-targets.yaml, ~/.config/tao-run/targets.yaml.")
    Optional<String> targets = Optional.empty();
}
