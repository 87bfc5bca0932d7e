package io.jenkins.plugins.tao.backend.slurm;

import static io.jenkins.plugins.tao.remote.shell.ShellCommand.quote;

import io.jenkins.plugins.tao.job.text.OwnFile;
import java.util.Optional;

/**
 * Slurm's commands without what the login's environment says, and on one cluster of several behind one login host. Functions of the
 * commands' names carry the option: a variable would travel into the job with its environment.
 */
final class SlurmCluster {
    private static final String COMMANDS = OwnFile.text(SlurmCluster.class, "commands.sh");

    private SlurmCluster() {}

    /** Shell text that goes before any other; without a name the cluster is the login host's own. */
    static String choose(Optional<String> cluster) {
        return "tao_cluster=" + quote(cluster.orElse("")) + "\n" + COMMANDS + "\n";
    }
}
