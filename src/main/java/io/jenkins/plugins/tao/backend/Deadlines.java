package io.jenkins.plugins.tao.backend;

import io.jenkins.plugins.tao.job.JobHandle;
import java.util.Set;

/**
 * What a {@link Backend} offers besides when its jobs have deadlines that no scheduler keeps. Whoever watches jobs lets it
 * keep them; to look at a job, by {@link Backend#poll}, ends nothing.
 */
public interface Deadlines {
    /** Tells, before a {@link Backend#poll}, whose deadlines will be kept after it: such a job may be reported as still ending. */
    void willKeep(Set<JobHandle> watched);

    /**
     * Ends those of {@code watched} that are past a deadline of theirs. What is overdue was found by the last {@link
     * Backend#poll}; it is looked at once more, and only what is known then counts. A job that could not be ended is told by
     * the next poll.
     */
    void endOverdue(Set<JobHandle> watched);
}
