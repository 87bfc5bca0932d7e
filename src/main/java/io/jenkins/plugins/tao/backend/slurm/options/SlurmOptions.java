package io.jenkins.plugins.tao.backend.slurm.options;

import static io.jenkins.plugins.tao.job.Require.require;

import io.jenkins.plugins.tao.backend.slurm.networks.DatasetFiles;
import io.jenkins.plugins.tao.backend.slurm.options.SlurmTarget.Launcher;
import io.jenkins.plugins.tao.job.JobOptions;
import io.jenkins.plugins.tao.job.text.OnePerLine;
import io.jenkins.plugins.tao.job.text.Option;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * What only Slurm understands of a job. What is empty is left to the target, and what that leaves open to the cluster.
 *
 * @param partition one partition, or several separated by commas
 * @param account what the job is charged to
 * @param qos quality of service
 * @param reservation a reservation of nodes
 * @param constraint node features, as in {@code a100&ib}
 * @param exclude nodes not to use
 * @param nodelist nodes that must be among those used
 * @param mem memory of each node, as in {@code 200G}; {@code 0} for all of it
 * @param exclusive whether the job gets whole nodes
 * @param gpuType the type of GPU, as in {@code a100}
 * @param requeue whether Slurm starts the job again after a node failure or preemption
 * @param requeueOnTimeout whether the job starts again, under the same id, when its timeout has ended it; for trainings that
 *     resume from their checkpoints
 * @param maxRequeues how often at most
 * @param containerMounts replaces the target's
 * @param timeout when to end the command, earlier than the wall time
 * @param signal what to send before the wall time ends, as in {@code B:TERM@360}; handed on to the command
 * @param launcher how the container starts
 * @param modules environment modules to load before the command
 * @param dependency jobs to wait for, as in {@code afterok:4711}
 * @param gpuCheck whether each node first checks that it shows the GPUs asked for
 * @param useSqsh whether its image is converted to a squash file first
 * @param forceReconvertLatest whether an image with the tag {@code latest} is converted again even if a converted file exists
 * @param installEnrootCredentials the user's approval to put the secret {@code NGC_KEY} into
 *     {@code ~/.config/enroot/.credentials} on the cluster
 * @param checkpointTime how long the command takes to save its state when it is warned
 * @param grace the time between the polite signal and the end when the job is cancelled, as in {@code 5m}
 * @param array the members of a job array, as in {@code 0-15%4}
 * @param datasets roots of data sets, as in {@code train=/lustre/coco/train}: the files below that the command's network
 *     reads are put into the spec and looked for
 * @param sbatch further options of {@code sbatch}, as in {@code --mail-type=FAIL}
 */
public record SlurmOptions(
        @Option(defaultsTo = "the target's") Optional<String> partition,
        @Option(defaultsTo = "the target's") Optional<String> account,
        Optional<String> qos,
        Optional<String> reservation,
        Optional<String> constraint,
        Optional<String> exclude,
        Optional<String> nodelist,
        @Option(unit = "bytes, with a letter: `200G`") Optional<String> mem,

        @Option(defaultsTo = "yes exactly when all GPUs of a node are requested")
        Optional<Boolean> exclusive,

        Optional<String> gpuType,
        @Option(defaultsTo = "the target's") Optional<Boolean> requeue,
        @Option(defaultsTo = "no") Optional<Boolean> requeueOnTimeout,
        @Option(defaultsTo = "" + REQUEUES) OptionalInt maxRequeues,
        @Option(defaultsTo = "the target's") List<String> containerMounts,

        @Option(
                defaultsTo =
                        "the wall time; up to 12 minutes earlier for a job that requeues at its timeout or names no wall time")
        Optional<Duration> timeout,

        Optional<String> signal,
        @Option(defaultsTo = "the target's") Optional<Launcher> launcher,
        List<String> modules,
        Optional<String> dependency,
        @Option(defaultsTo = "yes") Optional<Boolean> gpuCheck,
        @Option(defaultsTo = "the target's") Optional<Boolean> useSqsh,
        @Option(defaultsTo = "no") Optional<Boolean> forceReconvertLatest,
        @Option(defaultsTo = "no") Optional<Boolean> installEnrootCredentials,
        @Option(defaultsTo = "no time") Optional<Duration> checkpointTime,

        @Option(defaultsTo = "what the cluster gives between its two signals, 30 seconds on most")
        Optional<Duration> grace,

        @Option(defaultsTo = "a single job") Optional<String> array,
        List<String> datasets,
        @OnePerLine List<String> sbatch)
        implements JobOptions {

    private static final int REQUEUES = 10;
    private static final int SIGNAL_SLACK = 60;

    public SlurmOptions {
        SlurmWords.names("partition", partition);
        SlurmWords.name("account", account);
        SlurmWords.name("qos", qos);
        SlurmWords.name("reservation", reservation);
        SlurmWords.constraint("constraint", constraint);
        SlurmWords.nodes("exclude", exclude);
        SlurmWords.nodes("nodelist", nodelist);
        SlurmWords.memory("mem", mem);
        SlurmWords.name("gpuType", gpuType);
        SlurmWords.signal("signal", signal);
        SlurmWords.dependency("dependency", dependency);
        containerMounts = List.copyOf(containerMounts);
        containerMounts.forEach(SlurmWords::mount);
        modules = List.copyOf(modules);
        modules.forEach(
                module -> require(module.matches("[A-Za-z0-9][A-Za-z0-9._+/-]*"), "'%s' is no module name", module));
        sbatch = List.copyOf(sbatch);
        sbatch.forEach(SlurmWords::directive);
        maxRequeues.ifPresent(times -> require(times >= 0, "maxRequeues must not be negative, was %d", times));
        timeout.ifPresent(time -> require(time.toSeconds() >= 1, "timeout must be at least one second, was %s", time));
        signal.ifPresent(SlurmOptions::requireSlack);
        checkpointTime.ifPresent(
                time -> require(!time.isNegative(), "checkpointTime must not be negative, was %s", time));
        grace.ifPresent(time -> require(time.toSeconds() >= 1, "grace must be at least one second, was %s", time));
        array.ifPresent(SlurmArray::parse);
        datasets = List.copyOf(datasets);
        DatasetFiles.roots(datasets);
    }

    public int requeueLimit() {
        return maxRequeues.orElse(REQUEUES);
    }

    /** Slurm sends the signal up to 60 s early or late: less notice than that may come after the end. */
    private static void requireSlack(String signal) {
        int at = signal.indexOf('@');
        require(
                at < 0 || Integer.parseInt(signal.substring(at + 1)) > SIGNAL_SLACK,
                "signal '%s' comes up to 60 s late: give it more than 60 s, as in B:TERM@360",
                signal);
    }
}
