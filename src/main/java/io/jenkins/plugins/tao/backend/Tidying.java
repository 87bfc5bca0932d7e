package io.jenkins.plugins.tao.backend;

import java.util.ArrayList;
import java.util.List;

/** What a backend can do besides that stages files of its own: remove those of jobs that ended long ago. */
public interface Tidying {
    /**
     * Removes what was staged for jobs whose last sign of life is older than the target keeps it; results never, and
     * nothing of a job that another controller holds.
     *
     * @param dryRun whether only to tell
     */
    Tidied tidy(boolean dryRun) throws BackendException;

    /**
     * What was removed, or would be.
     *
     * @param jobs their keys
     * @param kibibytes what their files took
     * @param more whether there is more: one call stays within bounds
     */
    record Tidied(List<String> jobs, long kibibytes, boolean more) {
        public Tidied {
            jobs = List.copyOf(jobs);
        }

        /** Both together. */
        public Tidied and(Tidied other) {
            List<String> all = new ArrayList<>(jobs);
            all.addAll(other.jobs);
            return new Tidied(all, kibibytes + other.kibibytes, more || other.more);
        }
    }
}
