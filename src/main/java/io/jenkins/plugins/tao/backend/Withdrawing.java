package io.jenkins.plugins.tao.backend;

import io.jenkins.plugins.tao.job.JobHandle;

/** What a {@link Backend} offers besides when it can end a job that waits and let one that has begun go on, in one request. */
public interface Withdrawing {
    /** Asks for the end of a job unless it has begun; one that has ended, or was never there, is fine. {@link Backend#poll} confirms. */
    void withdraw(JobHandle job) throws BackendException;
}
