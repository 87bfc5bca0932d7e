package io.jenkins.plugins.tao.backend;

import io.jenkins.plugins.tao.backend.BackendException.Rejected;
import io.jenkins.plugins.tao.job.JobKey;

/** The refusal of a job whose id another one has, which runs something else. */
public final class OtherWork {
    private OtherWork() {}

    /** A refusal of job {@code key}, of which {@code target} has another one. */
    public static Rejected refused(String target, JobKey key) {
        return new Rejected(
                "There is a job '" + key + "' on target '" + target + "' already, with another command, image, spec,"
                        + " environment or number of GPUs, and it is left alone.",
                "Give this job another id, or wait for the other one: its id is '" + key + "'.");
    }
}
