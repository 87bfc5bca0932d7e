package io.jenkins.plugins.tao.job;

import static io.jenkins.plugins.tao.job.Require.require;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Consumer;

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
 * @param members how its members did, a sentence, when it is several jobs in one: none of their logs tells of the whole
 * @param interruption the signal that came to the command before it had ended, such as {@code SIGTERM}; an exit code of 0 after it is no
 *     success
 * @param firstFailure of several ranks the one that failed first; its exit code is {@code exitCode}
 * @param notices what a person should be told of it once, each a sentence with its remedy
 * @param outlook what is expected of a job that waits
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
        Optional<String> interruption,
        Optional<FirstFailure> firstFailure,
        List<String> notices,
        Outlook outlook) {

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
                Optional.empty(),
                Optional.empty(),
                List.of(),
                Outlook.NONE);
    }

    /** The same with the exit code that our wrapper recorded. */
    public JobStatus withExitCode(int code) {
        return copy(edit -> edit.exitCode = OptionalInt.of(code));
    }

    /** The same with the backend's reason; a blank one counts as none. */
    public JobStatus withReason(String text) {
        return copy(edit -> edit.reason = text.isBlank() ? Optional.empty() : Optional.of(text));
    }

    /** The same on these machines. */
    public JobStatus withNodes(List<String> names) {
        return copy(edit -> edit.nodes = names);
    }

    /** The same with what is known of its times. */
    public JobStatus withTimes(Optional<Instant> start, Optional<Instant> end) {
        return copy(edit -> {
            edit.startedAt = start;
            edit.endedAt = end;
        });
    }

    /** The same with the number of its runs so far. */
    public JobStatus withRuns(int count) {
        return copy(edit -> edit.runs = count);
    }

    /** The same with how its members did. */
    public JobStatus withMembers(String text) {
        return copy(edit -> edit.members = Optional.of(text));
    }

    /** The same with the signal, such as {@code SIGTERM}, that came before the command had ended. */
    public JobStatus withInterruption(String signal) {
        return copy(edit -> edit.interruption = Optional.of(signal));
    }

    /** The same with the rank that failed first. */
    public JobStatus withFirstFailure(FirstFailure first) {
        return copy(edit -> edit.firstFailure = Optional.of(first));
    }

    /** The same with one more thing to tell. */
    public JobStatus withNotice(String text) {
        return copy(edit -> {
            edit.notices = new ArrayList<>(notices);
            edit.notices.add(text);
        });
    }

    /** The same with what is expected of it while it waits. */
    public JobStatus withOutlook(Outlook expected) {
        return copy(edit -> edit.outlook = expected);
    }

    private JobStatus copy(Consumer<Edit> change) {
        Edit edit = new Edit();
        change.accept(edit);
        return new JobStatus(
                state,
                nativeState,
                ending,
                edit.exitCode,
                edit.reason,
                edit.nodes,
                edit.startedAt,
                edit.endedAt,
                edit.runs,
                edit.members,
                edit.interruption,
                edit.firstFailure,
                edit.notices,
                edit.outlook);
    }

    /** The parts that may be changed one by one. */
    private final class Edit {
        private OptionalInt exitCode = JobStatus.this.exitCode;
        private Optional<String> reason = JobStatus.this.reason;
        private List<String> nodes = JobStatus.this.nodes;
        private Optional<Instant> startedAt = JobStatus.this.startedAt;
        private Optional<Instant> endedAt = JobStatus.this.endedAt;
        private int runs = JobStatus.this.runs;
        private Optional<String> members = JobStatus.this.members;
        private Optional<String> interruption = JobStatus.this.interruption;
        private Optional<FirstFailure> firstFailure = JobStatus.this.firstFailure;
        private List<String> notices = JobStatus.this.notices;
        private Outlook outlook = JobStatus.this.outlook;
    }
}
