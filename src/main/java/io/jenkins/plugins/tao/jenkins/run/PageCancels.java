package io.jenkins.plugins.tao.jenkins.run;

import hudson.Extension;
import hudson.model.Run;
import hudson.util.LogTaskListener;
import io.jenkins.plugins.tao.jenkins.page.JobCancelling;
import io.jenkins.plugins.tao.jenkins.page.JobOwner;
import io.jenkins.plugins.tao.jenkins.page.JobRecord;
import io.jenkins.plugins.tao.job.JobHandle;
import java.util.Optional;
import java.util.logging.Level;
import java.util.logging.Logger;

/** Ends the jobs that a person cancels on a page: by the watch of the build where there is one, else on its own. */
@Extension
public final class PageCancels implements JobCancelling {
    private static final Logger LOGGER = Logger.getLogger(PageCancels.class.getName());

    @Override
    public void cancel(Run<?, ?> run, JobRecord job, String by) {
        LOGGER.log(Level.FINE, "{0} of {1} is to end: {2}", new Object[] {job.getId(), run, by});
        LiveBuilds.LiveBuild live = LiveBuilds.get().of(run);
        Optional<WatchRun> watch = live.watches().stream()
                .filter(watched -> watched.job().key().value().equals(job.getId()))
                .findFirst();
        Optional<JobHandle> handle = job.handle();
        if (watch.isPresent()) {
            var unused = watch.get().abort(by);
        } else if (handle.isPresent()) {
            if (job.owner() != JobOwner.ENDED) {
                new BuildScope(run, new LogTaskListener(LOGGER, Level.FINE)).abandon(handle.get(), by);
            }
        } else {
            live.submission(job.getId()).ifPresent(submission -> {
                var unused = submission.abort(by);
            });
        }
    }
}
