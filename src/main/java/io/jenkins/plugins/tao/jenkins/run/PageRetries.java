package io.jenkins.plugins.tao.jenkins.run;

import hudson.Extension;
import hudson.model.Run;
import hudson.util.LogTaskListener;
import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.jenkins.TaoRuntime;
import io.jenkins.plugins.tao.jenkins.page.JobRecord;
import io.jenkins.plugins.tao.jenkins.page.JobRetrying;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.JobKey;
import java.io.IOException;
import java.util.logging.Level;
import java.util.logging.Logger;

/** Runs jobs again that a person retries on a page; a restart does not lose one, since the build counts as open again. */
@Extension
public final class PageRetries implements JobRetrying {
    private static final Logger LOGGER = Logger.getLogger(PageRetries.class.getName());

    @Override
    public JobKey retry(Run<?, ?> run, JobRecord job, String by) throws IOException {
        BuildScope scope = new BuildScope(run, new LogTaskListener(LOGGER, Level.FINE));
        JobRequest request = JobRequests.of(run, new JobKey(job.getId()));
        SubmissionId id = SubmissionId.fresh(run);
        JobKey key = id.key(request);
        LOGGER.log(Level.INFO, "{0} of {1} runs again as {2}: {3}", new Object[] {
            job.getId(), run.getExternalizableId(), key, by
        });
        SubmitRun submission = SubmitRun.start(scope, request, id, false);
        scope.page().update(key.value(), record -> record.now("SUBMITTING", job.getId() + " again, by " + by));
        var unused = submission
                .result()
                .thenAcceptAsync(taken -> watch(run, JobHandle.parse(taken.getToken())), TaoRuntime.calls());
        return key;
    }

    private static void watch(Run<?, ?> run, JobHandle job) {
        try {
            UnseenEnds.adopt(run, job);
        } catch (BackendException | RuntimeException e) { // it is watched after a restart, or found as an orphan
            LOGGER.log(
                    Level.WARNING, e, () -> job.shortName() + " of " + run.getExternalizableId() + " is not watched");
        }
    }
}
