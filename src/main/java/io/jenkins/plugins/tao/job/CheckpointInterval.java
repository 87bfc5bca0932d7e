package io.jenkins.plugins.tao.job;

import static io.jenkins.plugins.tao.job.Require.require;

import java.time.Duration;

/**
 * How often to write a checkpoint so that the least time is lost, by Young's first-order rule: the square root of twice
 * the mean time between failures times the cost of one checkpoint. 30 s each and a failure in 3 h give 805 s.
 *
 * @param cost how long writing one takes
 * @param meanUptime how long the machine lasts on average
 * @see <a href="https://doi.org/10.1145/361147.361115">J. W. Young, Communications of the ACM 17 (1974)</a>
 */
public record CheckpointInterval(Duration cost, Duration meanUptime) {
    public CheckpointInterval {
        require(!cost.isNegative() && !cost.isZero(), "the cost of a checkpoint must be positive, was %s", cost);
        require(meanUptime.compareTo(cost) > 0, "the mean uptime must be longer than a checkpoint, was %s", meanUptime);
    }

    /** The interval, to the nearest second. */
    public Duration length() {
        return Duration.ofSeconds(Math.round(Math.sqrt(2.0 * meanUptime.toSeconds() * cost.toSeconds())));
    }
}
