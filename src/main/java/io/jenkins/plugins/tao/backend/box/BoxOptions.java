package io.jenkins.plugins.tao.backend.box;

import static io.jenkins.plugins.tao.job.Require.require;

import io.jenkins.plugins.tao.job.JobOptions;
import java.time.Duration;

/**
 * What only a machine without a scheduler understands of a job.
 *
 * @param grace the time between the polite signal and the last one when a job is cancelled, at least one second
 */
public record BoxOptions(Duration grace) implements JobOptions {
    private static final Duration DEFAULT_GRACE = Duration.ofSeconds(30);

    public BoxOptions {
        require(grace.toSeconds() >= 1, "grace must be at least one second, was %s", grace);
    }

    /** 30 seconds of grace, as Slurm gives. */
    public static BoxOptions defaults() {
        return new BoxOptions(DEFAULT_GRACE);
    }
}
