package io.jenkins.plugins.tao.dispatch;

import io.jenkins.plugins.tao.backend.Report;
import java.time.Duration;

/** Hears how a submission goes. */
public interface SubmitObserver {
    /** What preflight found; a failed report ends the submission. */
    void checked(Report report);

    /**
     * The job goes out now; from here on it may run, whether an answer comes or not.
     *
     * @return false when nobody wants it any more: then it is not sent
     */
    default boolean sending() {
        return true;
    }

    /** The target did not answer; the same submission is tried again after {@code next}. */
    void delayed(String what, Duration next);
}
