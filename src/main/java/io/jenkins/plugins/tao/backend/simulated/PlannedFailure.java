package io.jenkins.plugins.tao.backend.simulated;

import static io.jenkins.plugins.tao.job.Require.require;

import io.jenkins.plugins.tao.job.text.Option;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import lombok.With;

/**
 * What goes wrong with a simulated job; the keys stand beside the other options.
 *
 * @param failure what it is
 * @param failAt the epoch in which it happens, from 0
 * @param failAttempts how many attempts it happens to
 * @param exitCode of {@code exit}, 1 to 255
 * @param slowDown how many times as long an epoch takes after {@code slow-down}
 */
@With
public record PlannedFailure(
        @Option(defaultsTo = "nothing") Optional<Kind> failure,
        @Option(defaultsTo = "the middle") OptionalInt failAt,

        @Option(defaultsTo = "the first alone where the machines are to blame, else for all")
        OptionalInt failAttempts,

        @Option(defaultsTo = "1") OptionalInt exitCode,
        @Option(defaultsTo = "2") OptionalDouble slowDown) {
    private static final int LAST_EXIT_CODE = 255;

    /** What can go wrong. */
    public enum Kind {
        /** The program ends with an exit code. */
        EXIT,
        /** The program runs out of GPU memory, and says so in PyTorch's words. */
        GPU_MEMORY,
        /** The job is ended for using more RAM than it was given. */
        OUT_OF_MEMORY,
        /** A node is lost. */
        NODE_LOST,
        /** A job of higher priority takes the machines. */
        PREEMPTED,
        /** The time limit comes. */
        TIME_LIMIT,
        /** All metrics are not a number from then on; the program ends well. */
        NAN,
        /** It goes on running and writes nothing more. */
        STALL,
        /** It waits for machines for ever. */
        NEVER_STARTS,
        /** Epochs take longer from then on. */
        SLOW_DOWN,
        /** The submission is refused, because too many jobs wait. */
        QUEUE_FULL;

        /** Whether the machines are to blame, so that the job is tried again. */
        boolean ofMachines() {
            return this == NODE_LOST || this == PREEMPTED;
        }

        /** Whether the job comes to no end of its own in the epoch where it happens. */
        boolean endsEarly() {
            return this != NAN && this != SLOW_DOWN && this != QUEUE_FULL;
        }
    }

    public PlannedFailure {
        failAt.ifPresent(epoch -> require(epoch >= 0, "failAt must not be negative, was %d", epoch));
        failAttempts.ifPresent(count -> require(count >= 1, "failAttempts must be at least 1, was %d", count));
        exitCode.ifPresent(
                code -> require(code >= 1 && code <= LAST_EXIT_CODE, "exitCode must be from 1 to 255, was %d", code));
        slowDown.ifPresent(times -> require(times >= 1, "slowDown must be at least 1, was %s", times));
    }

    /** Nothing goes wrong. */
    public static PlannedFailure none() {
        return new PlannedFailure(
                Optional.empty(),
                OptionalInt.empty(),
                OptionalInt.empty(),
                OptionalInt.empty(),
                OptionalDouble.empty());
    }

    /** What goes wrong with one attempt, from 1. */
    Optional<Kind> in(int attempt) {
        return failure.filter(kind -> attempt <= failAttempts.orElse(kind.ofMachines() ? 1 : Integer.MAX_VALUE));
    }
}
