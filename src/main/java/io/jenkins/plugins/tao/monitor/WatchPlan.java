package io.jenkins.plugins.tao.monitor;

import static io.jenkins.plugins.tao.job.Require.require;

import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.job.Secret;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/**
 * How to watch a job.
 *
 * @param giveUpAfter silence of the backend after which the job counts as lost
 * @param retries new attempts after failures of the machines
 * @param interval the longest time between two looks; empty for the adaptive default
 * @param secrets the values of the job's secrets, asked for only when a new attempt needs them
 * @param logs whether logs and {@code status.json} are read; without them a success is only what the backend says
 */
public record WatchPlan(Duration giveUpAfter, int retries, Optional<Duration> interval, Secrets secrets, boolean logs) {
    private static final int RETRIES = 10;

    public WatchPlan {
        require(giveUpAfter.toMinutes() >= 1, "giveUpAfter must be at least one minute, was %s", giveUpAfter);
        require(retries >= 0, "retries must not be negative, was %d", retries);
        interval.ifPresent(
                time -> require(time.toSeconds() >= 1, "interval must be at least one second, was %s", time));
    }

    /** A plan that reads logs. */
    public WatchPlan(Duration giveUpAfter, int retries, Optional<Duration> interval, Secrets secrets) {
        this(giveUpAfter, retries, interval, secrets, true);
    }

    /** One day of patience, 10 retries, adaptive interval, no secrets. */
    public static WatchPlan defaults() {
        return new WatchPlan(Duration.ofDays(1), RETRIES, Optional.empty(), Map::of);
    }

    /** The same with no attempt after the first. */
    public WatchPlan withoutRetries() {
        return new WatchPlan(giveUpAfter, 0, interval, secrets, logs);
    }

    /** The same with a look at states alone. */
    public WatchPlan withoutLogs() {
        return new WatchPlan(giveUpAfter, retries, interval, secrets, false);
    }

    /** The same with this source of secrets. */
    public WatchPlan withSecrets(Secrets source) {
        return new WatchPlan(giveUpAfter, retries, interval, source, logs);
    }

    /** Where the values of a job's secrets come from. */
    @FunctionalInterface
    public interface Secrets {
        /**
         * The values by the names that the job knows them by.
         *
         * @throws BackendException.Rejected if one is not there any more
         */
        Map<String, Secret> get() throws BackendException.Rejected;
    }
}
