package io.jenkins.plugins.tao.job;

import static io.jenkins.plugins.tao.job.Require.require;

import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;
import lombok.With;

/**
 * The machines one job asks for. What is empty is left to the target's defaults.
 *
 * @param nodes machines, at least 1
 * @param gpusPerNode GPUs on each of them; 0 for a job without GPU
 * @param cpusPerNode processor cores on each of them, at least 1
 * @param wallTime the time after which the job is ended, at least one minute
 * @param startWithin how long the job may wait for machines, from its submission; at least one minute; empty for any time
 * @param retryBudget what failed attempts may use together; empty for no limit but that of their number
 */
public record Resources(
        int nodes,
        OptionalInt gpusPerNode,
        OptionalInt cpusPerNode,
        Optional<Duration> wallTime,
        @With Optional<Duration> startWithin,
        Optional<RetryBudget> retryBudget) {
    public Resources {
        require(nodes >= 1, "nodes must be at least 1, was %d", nodes);
        gpusPerNode.ifPresent(gpus -> require(gpus >= 0, "gpus must not be negative, was %d", gpus));
        cpusPerNode.ifPresent(cpus -> require(cpus >= 1, "cpus must be at least 1, was %d", cpus));
        wallTime.ifPresent(time -> require(
                time.toMinutes() >= 1, "the time limit must be at least one minute, was %s", Durations.words(time)));
        startWithin.ifPresent(time -> require(
                time.toMinutes() >= 1, "startWithin must be at least one minute, was %s", Durations.words(time)));
    }

    /** Machines that may be waited for as long as it takes. */
    public Resources(int nodes, OptionalInt gpusPerNode, OptionalInt cpusPerNode, Optional<Duration> wallTime) {
        this(nodes, gpusPerNode, cpusPerNode, wallTime, Optional.empty(), Optional.empty());
    }

    /** The GPUs of all machines; empty where the target chooses. */
    public OptionalInt gpus() {
        return gpusPerNode.isPresent() ? OptionalInt.of(nodes * gpusPerNode.getAsInt()) : gpusPerNode;
    }

    /** One machine, everything else as the target has it. */
    public static Resources defaults() {
        return new Resources(1, OptionalInt.empty(), OptionalInt.empty(), Optional.empty());
    }
}
