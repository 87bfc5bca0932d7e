package io.jenkins.plugins.tao.job;

import static io.jenkins.plugins.tao.job.Require.require;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * One look at a job.
 *
 * @param state where it stands
 * @param nativeState the backend's own word, such as {@code COMPLETING}
 * @param ending how the backend says it ended; present exactly when {@code state} is {@code ENDED}
 * @param exitCode the payload's own exit code, 0 to 255, as our wrapper recorded it; never the scheduler's guess
 * @param reason why it waits or why it ended, in the backend's words
 * @param nodes the machines it was given
 * @param startedAt when its command started
 * @param endedAt when it ended
 * @param runs how often the backend started it under this native id: 1, and more after a requeue; 0 before the first
 * @param members how its members did, a sentence, when it is several jobs in one: none of their logs tells of the whole
 * @param notices what a person should be told of it once, each a sentence with its remedy
 */
public record JobStatus(
        JobState state,
        String nativeState,
        Optional<Ending> ending,
        OptionalInt exitCode,
        Optional<String> reason,
        List<String> nodes,
        Optional<Instant> startedAt,
        Optional<Instant> endedAt,
        int runs,
        Optional<String> members,
        List<String> notices) {

    public JobStatus {
        require((state == JobState.ENDED) == ending.isPresent(), "an ending belongs to ENDED, not to %s", state);
        nodes = List.copyOf(nodes);
        notices = List.copyOf(notices);
    }

    /** A job that has not ended, in the backend's word. */
    public static JobStatus live(JobState state, String nativeState) {
        return new JobStatus(
                state,
                nativeState,
                Optional.empty(),
                OptionalInt.empty(),
                Optional.empty(),
                List.of(),
                Optional.empty(),
                Optional.empty(),
                0,
                Optional.empty(),
                List.of());
    }

    /** A job that has ended, in the backend's word. */
    public static JobStatus ended(Ending ending, String nativeState) {
        return new JobStatus(
                JobState.ENDED,
                nativeState,
                Optional.of(ending),
                OptionalInt.empty(),
                Optional.empty(),
                List.of(),
                Optional.empty(),
                Optional.empty(),
                0,
                Optional.empty(),
                List.of());
    }

    /** The same with the exit code that our wrapper recorded. */
    public JobStatus withExitCode(int code) {
        return new JobStatus(
                state,
                nativeState,
                ending,
                OptionalInt.of(code),
                reason,
                nodes,
                startedAt,
                endedAt,
                runs,
                members,
                notices);
    }

    /** The same with the backend's reason; a blank one counts as none. */
    public JobStatus withReason(String text) {
        Optional<String> given = text.isBlank() ? Optional.empty() : Optional.of(text);
        return new JobStatus(
                state, nativeState, ending, exitCode, given, nodes, startedAt, endedAt, runs, members, notices);
    }

    /** The same on these machines. */
    public JobStatus withNodes(List<String> names) {
        return new JobStatus(
                state, nativeState, ending, exitCode, reason, names, startedAt, endedAt, runs, members, notices);
    }

    /** The same with what is known of its times. */
    public JobStatus withTimes(Optional<Instant> start, Optional<Instant> end) {
        return new JobStatus(state, nativeState, ending, exitCode, reason, nodes, start, end, runs, members, notices);
    }

    /** The same with the number of its runs so far. */
    public JobStatus withRuns(int count) {
        return new JobStatus(
                state, nativeState, ending, exitCode, reason, nodes, startedAt, endedAt, count, members, notices);
    }

    /** The same with how its members did. */
    public JobStatus withMembers(String text) {
        return new JobStatus(
                state,
                nativeState,
                ending,
                exitCode,
                reason,
                nodes,
                startedAt,
                endedAt,
                runs,
                Optional.of(text),
                notices);
    }

    /** The same with one more thing to tell. */
    public JobStatus withNotice(String text) {
        List<String> more = new ArrayList<>(notices);
        more.add(text);
        return new JobStatus(
                state, nativeState, ending, exitCode, reason, nodes, startedAt, endedAt, runs, members, more);
    }
}
