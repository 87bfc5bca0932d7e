package io.jenkins.plugins.tao.jenkins.run;

import hudson.model.Run;
import hudson.util.LogTaskListener;
import io.jenkins.plugins.tao.backend.ArtifactPlan;
import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.jenkins.page.JobOwner;
import io.jenkins.plugins.tao.jenkins.page.JobRecord;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.monitor.WatchPlan;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * Builds that ended while this plugin could not see it: it was disabled, or Jenkins was killed and the build could not be
 * resumed. Their jobs are neither cancelled nor forgotten: this Jenkins watches them to their end, keeps the page of the build
 * up to date and archives into it, and tells the administrator their tokens.
 */
final class UnseenEnds {
    private static final Logger LOGGER = Logger.getLogger(UnseenEnds.class.getName());
    private static final String WATCHED_ON = "It is watched to its end; taoWait or taoCancel can use it with ";

    private UnseenEnds() {}

    /** Looks after all builds that an earlier process left. */
    static void lookAfterAll() {
        for (String id : OpenBuilds.get().all()) {
            try {
                Run<?, ?> run = Run.fromExternalizableId(id);
                if (run == null) {
                    LOGGER.log(Level.WARNING, "{0} is gone, and with it what is known of its jobs.", id);
                    OpenBuilds.get().close(id);
                } else if (!run.isBuilding()) {
                    lookAfter(run, id);
                }
            } catch (RuntimeException e) { // whatever is wrong with this one, the others are looked after
                LOGGER.log(Level.WARNING, e, () -> "cannot look after the jobs of " + id);
            }
        }
    }

    /**
     * Watches {@code job} to its end for a build that has ended, also after a restart. Where another controller may hold it,
     * this one takes it over first. Blocks on the network.
     */
    static void adopt(Run<?, ?> run, JobHandle job) throws BackendException {
        BuildScope scope = new BuildScope(run, new LogTaskListener(LOGGER, Level.FINE));
        scope.takeOver(job);
        if (scope.page().job(job.key().value()).isEmpty()) {
            scope.page().add(JobRecord.intended(job.key(), job.target(), Map.of(), true));
        }
        LastBuilds.get().keep(job.key(), job.target(), run.getExternalizableId());
        synchronized (UnseenEnds.class) { // another job of the build may end just now
            scope.page()
                    .update(
                            job.key().value(),
                            record -> record.adopted().now(job, "SUBMITTED", "").ownedBy(JobOwner.BUILD));
            scope.page().force();
            OpenBuilds.get().open(run);
        }
        var unused = watch(scope, job).thenRun(() -> closeIfSettled(scope));
    }

    /** Forgets the build unless another of its jobs is watched for it. */
    private static void closeIfSettled(BuildScope scope) {
        synchronized (UnseenEnds.class) {
            boolean settled = scope.page().getJobs().stream()
                    .filter(UnseenEnds::isOfBuild)
                    .allMatch(job -> job.handle().isEmpty()); // one that no target has answered for cannot be watched
            if (settled) {
                OpenBuilds.get().close(scope.run().getExternalizableId());
            }
        }
    }

    private static boolean isOfBuild(JobRecord job) {
        return job.isSubmittedHere() && job.owner() == JobOwner.BUILD;
    }

    private static CompletableFuture<?> watch(BuildScope scope, JobHandle job) {
        WatchTerms terms =
                new WatchTerms(ArtifactPlan.of(List.of()), WatchPlan.defaults().withoutRetries(), false);
        return ResumedWatch.start(scope, terms, job).result().exceptionally(failure -> null);
    }

    private static void lookAfter(Run<?, ?> run, String id) {
        BuildScope scope = new BuildScope(run, new LogTaskListener(LOGGER, Level.FINE));
        List<CompletableFuture<?>> ends = new ArrayList<>();
        for (JobRecord job : scope.page().getJobs()) {
            if (!isOfBuild(job)) {
                continue;
            }
            Optional<JobHandle> handle = job.handle();
            LOGGER.log(Level.WARNING, "{0} has ended, and its job {1} had not when Jenkins stopped. {2}", new Object[] {
                id, job.getId(), handle.map(known -> WATCHED_ON + known.token()).orElse(unknown(job))
            });
            handle.ifPresent(known -> ends.add(watch(scope, known)));
        }
        var unused =
                CompletableFuture.allOf(ends.toArray(CompletableFuture[]::new)).thenRun(() -> closeIfSettled(scope));
    }

    private static String unknown(JobRecord job) {
        return "It is not known whether " + job.getTarget() + " took it; look there, and end it if it runs.";
    }
}
