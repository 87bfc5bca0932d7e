package io.jenkins.plugins.tao.backend;

import io.jenkins.plugins.tao.job.JobHandle;

/**
 * What a backend can do besides whose jobs other controllers reach too: it notes on the storage of the jobs who holds
 * each. To look at a job is free; to end it, or to start its next attempt, is {@link BackendException.Rejected} while
 * another controller holds it. What another holds is told as a notice of {@link
 * io.jenkins.plugins.tao.job.JobStatus#notices}.
 */
public interface Leasing extends Controlled {
    /**
     * Makes this controller the holder of {@code job}, whoever held it. Of several that take it over at once, one wins.
     *
     * @throws BackendException.Rejected if another one was quicker
     */
    void takeOver(JobHandle job) throws BackendException;
}
