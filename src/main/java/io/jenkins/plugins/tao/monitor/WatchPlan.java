package io.jenkins.plugins.tao.monitor;

import static io.jenkins.plugins.tao.job.Require.require;

import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.failure.FailureRules;
import io.jenkins.plugins.tao.job.Secret;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import lombok.With;

/**
 * How to watch a job.
 *
 * @param giveUpAfter silence of the backend after which the job counts as lost
 * @param retries new attempts after failures of the machines
 * @param interval the time between two looks at a job that stays in its state, at most; empty for the adaptive default
 * @param secrets the values of the job's secrets, asked for only when a new attempt needs them
 * @param logs whether logs and {@code status.json} are read; without them a success is only what the backend says
 * @param avoidNodesFor how long new attempts avoid a node after its failure; zero to avoid none
 * @param stallAfter how long a running job may write nothing until it counts as stalled, at least one minute
 * @param onStall what becomes of it then
 * @param idleAfter how long the GPUs of a running job may compute nothing until it counts as stalled too, at least one minute; empty where
 *     that is only told, after half an hour
 * @param rules what lines of a failed job's log tell of the cause
 * @param endEarly when its metrics show that nothing good can come of it, so that it is ended; none for never
 * @param known the nodes that new attempts avoid besides, because they failed under other jobs; asked for before each attempt
 */
@With
public record WatchPlan(
        Duration giveUpAfter,
        int retries,
        Optional<Duration> interval,
        Secrets secrets,
        boolean logs,
        Duration avoidNodesFor,
        Duration stallAfter,
        OnStall onStall,
        Optional<Duration> idleAfter,
        FailureRules rules,
        List<EarlyEnd> endEarly,
        Supplier<Set<String>> known) {
    /** Long enough for a site to look at the node, short enough that a node that was only restarted comes back by itself. */
    private static final Duration AVOID_NODES_FOR = Duration.ofDays(1);

    private static final int RETRIES = 10;

    /** Longer than an epoch of most networks, and than what a checkpoint takes. */
    private static final Duration STALL_AFTER = Duration.ofMinutes(30);

    /** Longer than most of what runs on processors alone before a training begins. */
    public static final Duration TELL_IDLE_AFTER = Duration.ofMinutes(30);

    /** What becomes of a job that stalls. */
    public enum OnStall {
        /** It is reported. */
        TELL,
        /** It is ended as well, and has failed. */
        CANCEL,
        /** It is ended, and its next attempt is started while there are retries. */
        RETRY
    }

    public WatchPlan {
        endEarly = List.copyOf(endEarly);
        require(giveUpAfter.toMinutes() >= 1, "giveUpAfter must be at least one minute, was %s", giveUpAfter);
        require(retries >= 0, "retries must not be negative, was %d", retries);
        require(!avoidNodesFor.isNegative(), "avoidNodesFor must not be negative, was %s", avoidNodesFor);
        require(stallAfter.toMinutes() >= 1, "stallAfter must be at least one minute, was %s", stallAfter);
        idleAfter.ifPresent(
                time -> require(time.toMinutes() >= 1, "idleAfter must be at least one minute, was %s", time));
        interval.ifPresent(
                time -> require(time.toSeconds() >= 1, "interval must be at least one second, was %s", time));
    }

    /** A plan that reads logs. */
    public WatchPlan(Duration giveUpAfter, int retries, Optional<Duration> interval, Secrets secrets) {
        this(
                giveUpAfter,
                retries,
                interval,
                secrets,
                true,
                AVOID_NODES_FOR,
                STALL_AFTER,
                OnStall.TELL,
                Optional.empty(),
                FailureRules.own(),
                List.of(),
                Set::of);
    }

    /** One day of patience, 10 retries, adaptive interval, no secrets, failed nodes avoided for a day. */
    public static WatchPlan defaults() {
        return new WatchPlan(Duration.ofDays(1), RETRIES, Optional.empty(), Map::of);
    }

    /** The same with no attempt after the first. */
    public WatchPlan withoutRetries() {
        return withRetries(0);
    }

    /** The same with a look at states alone. */
    public WatchPlan withoutLogs() {
        return withLogs(false);
    }

    /** The same with what becomes of a job that writes nothing for {@code time}. */
    public WatchPlan withStall(Duration time, OnStall action) {
        return withStallAfter(time).withOnStall(action);
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
