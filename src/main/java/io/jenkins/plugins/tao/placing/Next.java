package io.jenkins.plugins.tao.placing;

import io.jenkins.plugins.tao.job.JobHandle;
import java.util.Map;

/** What has to be done next for a job that is not placed yet. */
public sealed interface Next {
    /** Wait for the end of {@code parent}. */
    record Await(JobHandle parent) implements Next {}

    /**
     * Send the job to the target of {@code leg}.
     *
     * @param last whether no other target comes after it: only then a target that does not answer is waited for
     * @param inherited what its placeholders of a parent stand for
     */
    record Send(Leg leg, boolean last, Map<String, String> inherited) implements Next {}

    /** Wait until the job of {@code leg} has begun, or is certain not to begin. */
    record Watch(Leg leg) implements Next {}

    /** Nothing: the job is where it stays. */
    record Placed(JobHandle job) implements Next {}

    /** Nothing: there is no such job, and there will be none; {@code remedy} is what a person can do. */
    record Nowhere(String why, String remedy) implements Next {}
}
