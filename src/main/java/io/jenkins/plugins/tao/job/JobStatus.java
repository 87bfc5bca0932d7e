package io.jenkins.plugins.tao.job;

import static io.jenkins.plugins.tao.job.Require.require;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import lombok.AccessLevel;
import lombok.Builder;
import lombok.With;

/**
 * One look at a job.
 *
 * @param state where it stands
 * @param nativeState the backend's own word, such as {@code COMPLETING}
 * @param ending how the backend says it ended; present exactly when {@code state} is {@code ENDED}
 * @param exitCode the payload's own exit code, 0 to 255, as our wrapper recorded it; never the scheduler's guess
 * @param reason why it waits or why it ended, in the backend's words
 * @param nodes the machines it was given
 * @param startedAt when its command started; schedulers write the time 0 for what never began, which is empty here
 * @param endedAt when it ended; empty for the time 0 as well
 * @param runs how often the backend started it under this native id: 1, and more after a requeue; 0 before the first
 * @param ran how long all these runs took together; empty where only the last one's times are known
 * @param untimed how many of its members {@code ran} lacks, because how long they took is not known
 * @param members how its members did, a sentence, when it is several jobs in one: none of their logs tells of the whole
 * @param interruption the signal that came to the command before it had ended, such as {@code SIGTERM}; an exit code of 0 after it is no
 *     success
 * @param firstFailure of several ranks the one that failed first; its exit code is {@code exitCode}
 * @param notices what a person should be told of it once, each a sentence with its remedy
 * @param outlook what is expected of a job that waits
 */
@Builder(toBuilder = true, access = AccessLevel.PRIVATE)
public record JobStatus(
        JobState state,
        String nativeState,
        Optional<Ending> ending,
        OptionalInt exitCode,
        Optional<String> reason,
        @With List<String> nodes,
        Optional<Instant> startedAt,
        Optional<Instant> endedAt,
        @With int runs,
        Optional<Duration> ran,
        @With int untimed,
        Optional<String> members,
        Optional<String> interruption,
        Optional<FirstFailure> firstFailure,
        List<String> notices,
        @With Outlook outlook) {

    public JobStatus {
        require((state == JobState.ENDED) == ending.isPresent(), "an ending belongs to ENDED, not to %s", state);
        startedAt = startedAt.filter(at -> at.getEpochSecond() > 0);
        endedAt = endedAt.filter(at -> at.getEpochSecond() > 0);
        nodes = List.copyOf(nodes);
        notices = List.copyOf(notices);
    }

    /** A job that has not ended, in the backend's word. */
    public static JobStatus live(JobState state, String nativeState) {
        return of(state, nativeState, Optional.empty());
    }

    /** A job that has ended, in the backend's word. */
    public static JobStatus ended(Ending ending, String nativeState) {
        return of(JobState.ENDED, nativeState, Optional.of(ending));
    }

    private static JobStatus of(JobState state, String nativeState, Optional<Ending> ending) {
        return new JobStatus(
                state,
                nativeState,
                ending,
                OptionalInt.empty(),
                Optional.empty(),
                List.of(),
                Optional.empty(),
                Optional.empty(),
                0,
                Optional.empty(),
                0,
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                List.of(),
                Outlook.NONE);
    }

    /** The same with the exit code that our wrapper recorded. */
    public JobStatus withExitCode(int code) {
        return toBuilder().exitCode(OptionalInt.of(code)).build();
    }

    /** The same with the backend's reason; a blank one counts as none. */
    public JobStatus withReason(String text) {
        return toBuilder()
                .reason(text.isBlank() ? Optional.empty() : Optional.of(text))
                .build();
    }

    /** The same with what is known of its times. */
    public JobStatus withTimes(Optional<Instant> start, Optional<Instant> end) {
        return toBuilder().startedAt(start).endedAt(end).build();
    }

    /** The same with how long all its runs took together. */
    public JobStatus withRan(Duration together) {
        return toBuilder().ran(Optional.of(together)).build();
    }

    /** The same with how its members did. */
    public JobStatus withMembers(String text) {
        return toBuilder().members(Optional.of(text)).build();
    }

    /** The same with the signal, such as {@code SIGTERM}, that came before the command had ended. */
    public JobStatus withInterruption(String signal) {
        return toBuilder().interruption(Optional.of(signal)).build();
    }

    /** The same with the rank that failed first. */
    public JobStatus withFirstFailure(FirstFailure first) {
        return toBuilder().firstFailure(Optional.of(first)).build();
    }

    /** The same with one more thing to tell. */
    public JobStatus withNotice(String text) {
        List<String> more = new ArrayList<>(notices);
        more.add(text);
        return toBuilder().notices(more).build();
    }
}
