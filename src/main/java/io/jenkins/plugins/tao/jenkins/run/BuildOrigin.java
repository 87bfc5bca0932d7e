package io.jenkins.plugins.tao.jenkins.run;

import hudson.model.Cause;
import hudson.model.Run;
import io.jenkins.plugins.tao.record.RunOrigin;
import java.time.Instant;
import java.util.Optional;

/** Which build asked for a run, and of which code. */
public final class BuildOrigin {
    private BuildOrigin() {}

    static RunOrigin of(Run<?, ?> run) {
        RunOrigin origin = RunOrigin.UNKNOWN
                .with(RunOrigin.DOOR, "jenkins")
                .with(RunOrigin.JOB, run.getParent().getFullName())
                .with(RunOrigin.BUILD, "#" + run.getNumber())
                .with(RunOrigin.BUILD_AT, began(run))
                .with(RunOrigin.URL, run.getUrl())
                .with(RunOrigin.USER, user(run));
        return CheckedOutCode.get().of(run, origin);
    }

    /**
     * Whether {@code build} asked for a run of its Jenkins job, and not a former build that had its number. Its address and name count only
     * for records of versions that did not note when the build began: they change with the job's.
     */
    public static boolean isOf(Run<?, ?> build, RunOrigin origin) {
        return origin.fact(RunOrigin.BUILD_AT)
                .map(began -> began.equals(began(build))
                        && origin.fact(RunOrigin.BUILD).equals(Optional.of("#" + build.getNumber())))
                .orElseGet(() -> origin.fact(RunOrigin.URL).equals(Optional.of(build.getUrl())));
    }

    /** The same of one of its jobs. */
    static RunOrigin of(Run<?, ?> run, JobRequest request) {
        RunOrigin origin = of(run);
        Confirming confirming = request.getConfirming();
        return confirming == null ? origin : confirming.added(origin);
    }

    private static String began(Run<?, ?> run) {
        return Instant.ofEpochMilli(run.getTimeInMillis()).toString();
    }

    /** Blank for a build that a timer, a commit or another job started. */
    private static String user(Run<?, ?> run) {
        Cause.UserIdCause cause = run.getCause(Cause.UserIdCause.class);
        String user = cause == null ? null : cause.getUserId();
        return user == null ? "" : user;
    }
}
