package io.jenkins.plugins.tao.backend;

import io.jenkins.plugins.tao.job.Ending;
import io.jenkins.plugins.tao.job.JobState;
import io.jenkins.plugins.tao.job.JobStatus;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * One member of an array at one look.
 *
 * @param status what is known of it; empty for one that neither the scheduler nor its own note tells of
 */
record MemberStatus(int index, Optional<JobStatus> status) {
    /** Members that are told one by one in a sentence. */
    static final int LISTED = 12;

    private static final Set<Ending> OF_NODES =
            Set.of(Ending.NODE_FAILURE, Ending.BOOT_FAILURE, Ending.PREEMPTED, Ending.LAUNCH_FAILURE);

    boolean isKnown() {
        return status.isPresent();
    }

    JobState state() {
        return status.map(JobStatus::state).orElse(JobState.ENDED);
    }

    boolean lives() {
        return state() != JobState.ENDED;
    }

    boolean hasEnded() {
        return isKnown() && !lives();
    }

    boolean hasStarted() {
        return status.flatMap(JobStatus::startedAt).isPresent();
    }

    /** Whether {@link #ran} is of all its runs, not of the last one alone. */
    boolean isTimed() {
        return ran().isPresent()
                && status.filter(known -> known.runs() < 2 || known.ran().isPresent())
                        .isPresent();
    }

    /** How long all its runs took, as far as that is known; empty where it is of none. */
    Optional<Duration> ran() {
        return status.flatMap(known -> known.startedAt().isEmpty()
                ? Optional.of(Duration.ZERO)
                : known.ran()
                        .or(() -> known.endedAt()
                                .map(end -> Duration.between(known.startedAt().get(), end))));
    }

    Ending ending() {
        return status.flatMap(JobStatus::ending).orElse(Ending.UNKNOWN);
    }

    /** An unknown one counts: it is no success. */
    boolean endedBadly() {
        return !lives() && ending() != Ending.COMPLETED;
    }

    OptionalInt exitCode() {
        return status.map(JobStatus::exitCode).orElse(OptionalInt.empty());
    }

    /** The scheduler's word for its state. */
    String word() {
        return status.map(JobStatus::nativeState).map(MemberStatus::first).orElse("UNKNOWN");
    }

    /** As {@code CANCELLED} of {@code CANCELLED by 1000}. */
    private static String first(String words) {
        return words.strip().split("[ +,]", 2)[0];
    }

    /** {@code 3 (exit code 3)}, {@code 9 (NODE_FAIL on gpu02)}. */
    String describe() {
        return index + " (" + how() + ")";
    }

    private String how() {
        int code = exitCode().orElse(0);
        if (!isKnown()) {
            return "its end was not recorded";
        }
        if (ending() == Ending.FAILED && code != 0) {
            return "exit code " + code;
        }
        List<String> nodes = status.map(JobStatus::nodes).orElse(List.of());
        return OF_NODES.contains(ending()) && !nodes.isEmpty() ? word() + " on " + String.join(", ", nodes) : word();
    }

    /** The first of them one by one, the rest as a number. */
    static String list(List<MemberStatus> members) {
        String first =
                members.stream().limit(LISTED).map(MemberStatus::describe).collect(Collectors.joining(", "));
        return members.size() <= LISTED ? first : first + " and " + (members.size() - LISTED) + " more";
    }
}
