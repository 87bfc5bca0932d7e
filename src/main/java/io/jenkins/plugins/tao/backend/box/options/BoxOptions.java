package io.jenkins.plugins.tao.backend.box.options;

import static io.jenkins.plugins.tao.job.Require.require;

import io.jenkins.plugins.tao.backend.box.options.BoxRules.Detach;
import io.jenkins.plugins.tao.job.JobOptions;
import io.jenkins.plugins.tao.job.text.OnePerLine;
import io.jenkins.plugins.tao.job.text.Option;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * What only a machine without a scheduler understands of a job.
 *
 * @param grace the time between the polite signal and the last one when a job is cancelled, at least one second
 * @param onReboot what happens to a job when its box restarts while it runs
 * @param whenBusy what happens to a job whose GPUs are in use
 * @param gpuCheck whether the GPUs are looked at from the job's own runtime right before its command
 * @param detach overrides the target
 * @param shmSize shared memory of a container, as in {@code 16g}
 * @param containerArgs further arguments of {@code docker run}, one word each
 * @param preparation what is done on the box before a GPU is taken
 */
public record BoxOptions(
        Duration grace,
        OnReboot onReboot,
        WhenBusy whenBusy,
        boolean gpuCheck,
        @Option(defaultsTo = "the target's") Optional<Detach> detach,

        @Option(defaultsTo = "the host's own (`--ipc=host`)", unit = "bytes, with a letter: `16g`")
        Optional<String> shmSize,

        @OnePerLine List<String> containerArgs,
        BoxPreparation preparation)
        implements JobOptions {
    private static final Duration DEFAULT_GRACE = Duration.ofSeconds(30);

    /** What happens to a job when its box restarts. */
    public enum OnReboot {
        /** The same command is started again, as a new attempt; a training takes up its last checkpoint. */
        RELAUNCH,
        /** It has failed. */
        FAIL
    }

    /** What becomes of a job whose GPUs others hold. */
    public enum WhenBusy {
        /** It waits on the box, in the order in which jobs were ready: downloaded, prepared, smoke command run. */
        QUEUE,
        /** It is not submitted. */
        REFUSE
    }

    public BoxOptions {
        require(grace.toSeconds() >= 1, "grace must be at least one second, was %s", grace);
        shmSize.ifPresent(
                size -> require(size.matches("\\d{1,9}[bkmgBKMG]?"), "shmSize '%s' is not such as 16g", size));
        containerArgs = List.copyOf(containerArgs);
        containerArgs.forEach(ContainerWords::check);
    }

    /** 30 seconds of grace, as Slurm gives; relaunched after a reboot, queued behind others. */
    public static BoxOptions defaults() {
        return new BoxOptions(
                DEFAULT_GRACE,
                OnReboot.RELAUNCH,
                WhenBusy.QUEUE,
                true,
                Optional.empty(),
                Optional.empty(),
                List.of(),
                BoxPreparation.NONE);
    }
}
