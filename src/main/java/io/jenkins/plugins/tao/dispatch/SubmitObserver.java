package io.jenkins.plugins.tao.dispatch;

import io.jenkins.plugins.tao.backend.CodeStore;
import io.jenkins.plugins.tao.backend.Report;
import io.jenkins.plugins.tao.backend.SourceTree;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Hears how a submission goes. */
public interface SubmitObserver {
    /** What preflight found; a failed report ends the submission. */
    void checked(Report report);

    /**
     * Checks of the door itself, such as budgets. Made once, after those of the target; one that fails ends the submission, and the report
     * of all goes to {@link #checked}.
     *
     * @param passed whether the target's own checks let the job pass
     */
    default List<Report.Check> checks(boolean passed) {
        return List.of();
    }

    /**
     * The job goes out now; from here on it may run, whether an answer comes or not.
     *
     * @return false when nobody wants it any more: then it is not sent
     */
    default boolean sending() {
        return true;
    }

    /** How long a target that does not answer is tried while nothing has left; {@code usual} is how long it is tried afterwards. */
    default Duration patienceBefore(Duration usual) {
        return usual;
    }

    /** The code that the target must have before the job is sent; empty where the job has none, or where it was sent before. */
    default Optional<SourceTree> code() {
        return Optional.empty();
    }

    /** The nodes that the job should not run on, the one that failed last first; asked for once the checks have passed. */
    default Set<String> avoided() {
        return Set.of();
    }

    /** The target has the code now. */
    default void delivered(CodeStore.Delivery delivery) {}

    /** The target did not answer; the same submission is tried again after {@code next}. */
    void delayed(String what, Duration next);
}
