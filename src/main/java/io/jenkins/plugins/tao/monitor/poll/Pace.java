package io.jenkins.plugins.tao.monitor.poll;

import io.jenkins.plugins.tao.job.JobState;
import java.time.Duration;
import java.util.Optional;

/**
 * How long to wait between two looks. A state that has just changed is looked at soon again, an old one seldom; a slow
 * target is asked less often, so that asking takes at most a tenth of its time.
 */
final class Pace {
    private static final Duration SHORTEST = Duration.ofSeconds(2);

    /** A job that fails at its start, or has next to nothing to do, ends within seconds; so its first are looked at closely. */
    private static final Duration SHORTEST_AT_FIRST = Duration.ofSeconds(1);

    private static final Duration AT_FIRST = Duration.ofSeconds(10);
    private static final Duration WHILE_PENDING = Duration.ofSeconds(30);
    private static final Duration WHILE_RUNNING = Duration.ofSeconds(15);
    private static final Duration LONGEST_SILENCE = Duration.ofMinutes(1);
    private static final Duration FIRST_AFTER_REFUSAL = Duration.ofMinutes(1);
    private static final Duration LONGEST_AFTER_REFUSAL = Duration.ofMinutes(10);
    private static final int SHARE_OF_AGE = 10;
    private static final int SHARE_OF_TIME = 10;
    private static final int MOST_DOUBLINGS = 10;

    private Pace() {}

    /** The pause for one job that has been in {@code state} for {@code age}; {@code cap} is the user's longest. */
    static Duration forJob(JobState state, Duration age, Duration cap) {
        Duration most = state == JobState.RUNNING ? WHILE_RUNNING : WHILE_PENDING;
        Duration least = age.compareTo(AT_FIRST) < 0 ? SHORTEST_AT_FIRST : SHORTEST;
        return clamp(age.dividedBy(SHARE_OF_AGE), least, min(most, cap));
    }

    /** The same with what the user asked for, if anything: a time longer than any usual one holds as it is, but for the first seconds. */
    static Duration forJob(JobState state, Duration age, Optional<Duration> asked) {
        return asked.filter(time -> time.compareTo(WHILE_PENDING) > 0 && age.compareTo(AT_FIRST) >= 0)
                .orElseGet(() -> forJob(state, age, asked.orElse(WHILE_PENDING)));
    }

    /** The pause while nothing is asked for but the end of a job's files. */
    static Duration whileEnding() {
        return SHORTEST;
    }

    /** The pause for a target whose last round took {@code took}. */
    static Duration forTarget(Duration wanted, Duration took) {
        return max(wanted, min(took.multipliedBy(SHARE_OF_TIME), LONGEST_SILENCE));
    }

    /** The same; a slow round is no reason to look less often than the user {@code asked} for. */
    static Duration forTarget(Duration wanted, Duration took, Optional<Duration> asked) {
        Duration pause = forTarget(wanted, took);
        return asked.map(each -> min(each, pause)).orElse(pause);
    }

    /**
     * The pause after the {@code failures}th round without an answer in a row: no longer than {@code usual}, the pause there
     * would be without the outage, so that an end is seen as soon after it as at any other time.
     */
    static Duration afterSilence(int failures, Duration usual) {
        return min(afterSilence(failures), max(usual, SHORTEST));
    }

    /** The same for one request of one job, which nothing else waits for. */
    static Duration afterSilence(int failures) {
        return min(doubled(SHORTEST, failures), LONGEST_SILENCE);
    }

    /** The pause after the {@code failures}th refusal in a row: servers lock out those who insist. */
    static Duration afterRefusal(int failures) {
        return min(doubled(FIRST_AFTER_REFUSAL, failures), LONGEST_AFTER_REFUSAL);
    }

    private static Duration doubled(Duration first, int failures) {
        return first.multipliedBy(1L << Math.min(Math.max(failures - 1, 0), MOST_DOUBLINGS));
    }

    private static Duration clamp(Duration value, Duration least, Duration most) {
        return max(min(value, most), min(least, most));
    }

    private static Duration min(Duration a, Duration b) {
        return a.compareTo(b) <= 0 ? a : b;
    }

    private static Duration max(Duration a, Duration b) {
        return a.compareTo(b) >= 0 ? a : b;
    }
}
