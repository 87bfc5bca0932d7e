package io.jenkins.plugins.tao.backend.slurm;

import static io.jenkins.plugins.tao.remote.shell.ShellCommand.quote;

import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Which cluster of several behind one login host. Functions of the commands' names carry the option: variables such as
 * {@code SLURM_CLUSTERS} would travel into the job with its environment, and {@code sacct} knows none.
 */
final class SlurmCluster {
    private static final List<String> COMMANDS = List.of("sbatch", "squeue", "sacct", "scancel", "scontrol", "sinfo");

    private SlurmCluster() {}

    /** Shell text that goes before any other; empty for the login host's own cluster. */
    static String choose(Optional<String> cluster) {
        return cluster.map(name -> COMMANDS.stream()
                        .map(command ->
                                command + "() { command " + command + " --clusters=" + quote(name) + " \"$@\"; }\n")
                        .collect(Collectors.joining()))
                .orElse("");
    }
}
