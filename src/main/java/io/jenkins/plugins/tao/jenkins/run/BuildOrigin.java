package io.jenkins.plugins.tao.jenkins.run;

import hudson.model.Cause;
import hudson.model.Run;
import io.jenkins.plugins.tao.record.RunOrigin;
import java.time.Instant;

/** Which build asked for a run, and of which code. */
final class BuildOrigin {
    private BuildOrigin() {}

    static RunOrigin of(Run<?, ?> run) {
        RunOrigin origin = RunOrigin.UNKNOWN
                .with(RunOrigin.DOOR, "jenkins")
                .with(RunOrigin.JOB, run.getParent().getFullName())
                .with(RunOrigin.BUILD, "#" + run.getNumber())
                .with(
                        RunOrigin.BUILD_AT,
                        Instant.ofEpochMilli(run.getTimeInMillis()).toString())
                .with(RunOrigin.URL, run.getUrl())
                .with(RunOrigin.USER, user(run));
        return CheckedOutCode.get().of(run, origin);
    }

    /** The same of one of its jobs. */
    static RunOrigin of(Run<?, ?> run, JobRequest request) {
        RunOrigin origin = of(run);
        Confirming confirming = request.getConfirming();
        return confirming == null ? origin : confirming.added(origin);
    }

    /** Blank for a build that a timer, a commit or another job started. */
    private static String user(Run<?, ?> run) {
        Cause.UserIdCause cause = run.getCause(Cause.UserIdCause.class);
        String user = cause == null ? null : cause.getUserId();
        return user == null ? "" : user;
    }
}
