package io.jenkins.plugins.tao.backend;

import io.jenkins.plugins.tao.job.JobHandle;

/** What a backend can do besides whose jobs may be arrays of many members. */
public interface JobArrays {
    /**
     * The handle of one member: it can be polled, read and cancelled like a job.
     *
     * @param index as the backend numbers members
     * @throws BackendException.Rejected if {@code array} is no array or has no such member
     */
    JobHandle member(JobHandle array, int index) throws BackendException.Rejected;
}
