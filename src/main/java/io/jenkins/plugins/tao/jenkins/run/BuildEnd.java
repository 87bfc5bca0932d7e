package io.jenkins.plugins.tao.jenkins.run;

import hudson.Extension;
import hudson.model.Result;
import hudson.model.Run;
import hudson.model.TaskListener;
import hudson.model.listeners.RunListener;
import io.jenkins.plugins.tao.jenkins.page.JobOwner;
import io.jenkins.plugins.tao.jenkins.page.JobRecord;
import io.jenkins.plugins.tao.job.JobHandle;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Finds an owner for each job that a build submitted and that has not ended with it. The jobs of a build that failed or was
 * aborted are cancelled, unless {@code onAbort: 'detach'} was asked for; those of a good build go on, and the log says so
 * with their tokens.
 */
@Extension
public final class BuildEnd extends RunListener<Run<?, ?>> {
    @Override
    public void onCompleted(Run<?, ?> run, TaskListener listener) {
        Optional<LiveBuilds.LiveBuild> live = LiveBuilds.get().ended(run);
        BuildScope scope = new BuildScope(run, listener);
        List<JobRecord> jobs = scope.page().getJobs();
        List<JobRecord> unowned = jobs.stream()
                .filter(job -> job.isSubmittedHere() && job.owner() == JobOwner.BUILD)
                .toList();
        if (!unowned.isEmpty()) {
            live.ifPresent(build -> build.watches().forEach(WatchRun::stop));
            settle(scope, unowned, live);
        }
        if (!jobs.isEmpty()) {
            OpenBuilds.get().close(run.getExternalizableId());
        }
    }

    private static void settle(BuildScope scope, List<JobRecord> unowned, Optional<LiveBuilds.LiveBuild> live) {
        boolean good = succeeded(scope.run());
        List<JobHandle> cancelled = new ArrayList<>();
        for (JobRecord job : unowned) {
            Optional<JobHandle> handle = job.handle();
            if (handle.isEmpty()) {
                unanswered(scope, job, live);
            } else if (good || job.survivesBuild()) {
                scope.leave(handle.get());
            } else {
                cancelled.add(handle.get());
            }
        }
        if (!cancelled.isEmpty()) {
            String names = JointLines.names(
                    cancelled.stream().map(JobHandle::shortName).toList());
            scope.say("the build ends before its jobs; to be cancelled: " + names);
            scope.abandonAll(cancelled, "the end of " + scope.run().getExternalizableId());
        }
    }

    private static void unanswered(BuildScope scope, JobRecord job, Optional<LiveBuilds.LiveBuild> live) {
        Optional<SubmitRun> submission = live.flatMap(build -> build.submission(job.getId()));
        if (submission.isPresent()) {
            var unused = submission.get().abort("the end of " + scope.run().getExternalizableId());
        } else {
            scope.say("it is not known whether " + job.getTarget() + " took " + job.getId()
                    + "; look there, and end it if it runs");
        }
    }

    private static boolean succeeded(Run<?, ?> run) {
        Result result = run.getResult();
        return result != null && result.isBetterOrEqualTo(Result.UNSTABLE);
    }
}
