package io.jenkins.plugins.tao.placing;

import static io.jenkins.plugins.tao.job.Require.require;

import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.JobKey;

/**
 * One target of a job, and what became of the job there.
 *
 * @param target the name of the target
 * @param key the job's id there: two targets may be the same cluster, where one id is one job
 * @param state how far it is
 * @param token finds the job there; empty until the target has taken it
 * @param why why it is not there, a sentence; empty otherwise
 */
public record Leg(String target, String key, State state, String token, String why) {
    /** How far a job is on one target. */
    public enum State {
        /** Nothing was sent. */
        OPEN,
        /** It may have been sent. */
        SENDING,
        /** The target has taken it. */
        TAKEN,
        /** It is certain that no job of this id runs there, or ever will. */
        NOT_THERE
    }

    public Leg {
        require(!target.isBlank(), "target must not be empty");
        require(state != State.TAKEN || !token.isEmpty(), "the job on '%s' has no token", target);
    }

    static Leg open(String target, JobKey key) {
        return new Leg(target, key.value(), State.OPEN, "", "");
    }

    /** Its id there. */
    public JobKey id() {
        return new JobKey(key);
    }

    /** The job that the target has taken. */
    JobHandle job() {
        return JobHandle.parse(token);
    }

    Leg sending() {
        return new Leg(target, key, State.SENDING, "", "");
    }

    Leg reopened() {
        return new Leg(target, key, State.OPEN, "", "");
    }

    Leg taken(JobHandle job) {
        return new Leg(target, key, State.TAKEN, job.token(), "");
    }

    Leg notThere(String reason) {
        return new Leg(target, key, State.NOT_THERE, token, reason);
    }
}
