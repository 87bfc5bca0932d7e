package io.jenkins.plugins.tao.backend.box.options;

import static io.jenkins.plugins.tao.job.Require.require;

import io.jenkins.plugins.tao.job.text.Option;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * How jobs run on a box, and when its owner is reminded of the cost.
 *
 * @param lease whose machine it is
 * @param runtime what runs images
 * @param detach whether each job has a session in a terminal multiplexer that shows its log
 * @param maxJobs jobs that run at once, further ones wait in order
 * @param leastDiskGib free GiB below which the check before a job fails
 * @param leastInodes free inodes below which the check before a job fails
 * @param meanUptime how long the box runs on average; the interval for checkpoints is computed from it
 * @param containerMounts further directories that containers see, as {@code SRC}, {@code SRC:DST} or {@code SRC:DST:ro}
 * @param stopCommand shell text that releases the box and runs on it; only {@code tao box stop} runs it
 */
public record BoxRules(
        @Option(defaultsTo = "`rented` over SSH, `owned` on this machine")
        Optional<Lease> lease,

        @Option(defaultsTo = "`docker`") Optional<ContainerRuntime> runtime,
        @Option(defaultsTo = "`setsid`") Optional<Detach> detach,
        @Option(defaultsTo = "no limit but the GPUs") OptionalInt maxJobs,
        @Option(defaultsTo = "" + LEAST_GIB, unit = "GiB") OptionalInt leastDiskGib,
        @Option(defaultsTo = "" + LEAST_INODES) OptionalInt leastInodes,
        Optional<Duration> meanUptime,
        List<String> containerMounts,
        Optional<String> stopCommand) {
    /** Whose machine it is. */
    public enum Lease {
        /** Nobody bills for it. */
        OWNED,
        /** It costs money, day and night, until a person releases it. */
        RENTED,
        /** Rented, and it may vanish at any moment without a warning. */
        SPOT
    }

    /** What runs images. */
    public enum ContainerRuntime {
        DOCKER,
        PODMAN,
        APPTAINER;

        public String program() {
            return name().toLowerCase(java.util.Locale.ROOT);
        }
    }

    /** How a person finds a job on the box. */
    public enum Detach {
        /** By its log files alone. */
        SETSID,
        /** By a tmux session that shows them, besides. */
        TMUX
    }

    private static final int LEAST_GIB = 1;
    private static final int LEAST_INODES = 10_000;

    public BoxRules {
        containerMounts = List.copyOf(containerMounts);
        containerMounts.forEach(mount -> require(
                mount.matches("/[^:\\s'\"]*(:/[^:\\s'\"]*)?(:(ro|rw))?"),
                "containerMounts: '%s' is not SRC, SRC:DST or SRC:DST:ro",
                mount));
        maxJobs.ifPresent(jobs -> require(jobs >= 1, "maxJobs must be at least 1, was %d", jobs));
        leastDiskGib.ifPresent(gib -> require(gib >= 0, "leastDiskGib must not be negative, was %d", gib));
        leastInodes.ifPresent(inodes -> require(inodes >= 0, "leastInodes must not be negative, was %d", inodes));
        meanUptime.ifPresent(
                time -> require(time.toMinutes() >= 1, "meanUptime must be at least one minute, was %s", time));
    }

    public int diskFloor() {
        return leastDiskGib.orElse(LEAST_GIB);
    }

    public int inodeFloor() {
        return leastInodes.orElse(LEAST_INODES);
    }
}
