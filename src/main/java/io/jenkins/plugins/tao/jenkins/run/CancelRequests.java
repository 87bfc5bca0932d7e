package io.jenkins.plugins.tao.jenkins.run;

import hudson.Extension;
import hudson.ExtensionList;
import hudson.model.Run;
import hudson.model.listeners.ItemListener;
import io.jenkins.plugins.tao.backend.Target;
import io.jenkins.plugins.tao.jenkins.TaoRuntime;
import io.jenkins.plugins.tao.jenkins.config.CredentialStore;
import io.jenkins.plugins.tao.jenkins.config.Targets;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.Outcome;
import io.jenkins.plugins.tao.monitor.JobEvent;
import io.jenkins.plugins.tao.monitor.JobResult;
import io.jenkins.plugins.tao.monitor.Watch;
import io.jenkins.plugins.tao.monitor.WatchPlan;
import java.io.File;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.HashSet;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.logging.Level;
import java.util.logging.Logger;
import jenkins.model.Jenkins;
import org.jspecify.annotations.Nullable;

/**
 * The ends of jobs that somebody asked for and no target has confirmed yet. They outlive the step, the build and the
 * controller: what is kept when Jenkins starts is asked for again until it is confirmed.
 */
@Extension
public final class CancelRequests extends ItemListener {
    private static final Logger LOGGER = Logger.getLogger(CancelRequests.class.getName());
    private static final Duration AGAIN = Duration.ofMinutes(5);

    private @Nullable UnansweredCancels unanswered;

    static CancelRequests get() {
        return ExtensionList.lookupSingleton(CancelRequests.class);
    }

    /** Keeps the request for a job whose watch asks for it. */
    void keep(Run<?, ?> run, JobHandle job, String by) {
        store().keep(new CancelRequest(job, run.getExternalizableId(), by));
    }

    /** The ids of the jobs that are asked to end until that is confirmed. */
    static Set<String> requested() {
        Set<String> ids = new HashSet<>(unanswered().ids());
        store().all().forEach(request -> ids.add(request.id()));
        return ids;
    }

    /** Forgets a request once its job has ended; of a lost job nobody knows that it has. */
    void settle(JobResult ended) {
        if (!(ended.outcome() instanceof Outcome.Lost)) {
            LastBuilds.get().drop(ended.handle().key());
            drop(ended.handle());
        }
    }

    /** Forgets a request that was refused: another controller holds the job, and it is for that one to end it. */
    void refused(JobHandle job) {
        drop(job);
    }

    /** A request that cannot be deleted costs a look at an ended job when Jenkins starts again, and must cost no more. */
    private static void drop(JobHandle job) {
        try {
            store().drop(job.key().value());
        } catch (UncheckedIOException e) {
            LOGGER.log(Level.WARNING, e, () -> "the request to end " + job.shortName() + " stays though it is settled");
        }
    }

    /** Keeps the request and asks for it, again and again, until it is confirmed; returns at once. */
    void pursue(String build, JobHandle job, String by) {
        CancelRequest request = new CancelRequest(job, build, by);
        store().keep(request);
        pursue(request);
    }

    /** The same for jobs whose submission has no answer yet. */
    static UnansweredCancels unanswered() {
        return get().notAnswered();
    }

    private synchronized UnansweredCancels notAnswered() {
        unanswered = Objects.requireNonNullElseGet(unanswered, () -> new UnansweredCancels(directory()));
        return unanswered;
    }

    /** Jenkins has its jobs and credentials: goes on with what an earlier process was asked for. */
    @Override
    public void onLoaded() {
        TaoRuntime.steps().execute(() -> {
            store().all().forEach(this::pursue);
            unanswered().pursueAll();
            UnseenEnds.lookAfterAll();
        });
    }

    /** Watches without further attempts: nobody wants the job any more. */
    private void pursue(CancelRequest request) {
        try {
            Optional<Run<?, ?>> run = Optional.ofNullable(Run.fromExternalizableId(request.build()));
            Target target = Targets.ofBuild(request.build())
                    .named(request.job().target())
                    .toTarget(run.map(CredentialStore::of).orElseGet(CredentialStore::ofJenkins));
            MemoryFile memory = run.map(build -> new MemoryFile(build, request.id(), () -> {}))
                    .orElseGet(() -> new MemoryFile(() -> directory().toPath().resolve("tao"), request.id(), () -> {}));
            CompletableFuture<Watch> own = new CompletableFuture<>();
            own.complete(TaoRuntime.dispatcher()
                    .watch(target, request.job(), WatchPlan.defaults().withoutRetries(), memory, event -> {
                        on(request, event);
                        if (event instanceof JobEvent.CancelRefused) {
                            var unused = own.thenAccept(Watch::detach);
                        }
                    }));
            own.join().cancel(request.by());
        } catch (RuntimeException e) { // whatever is wrong with this one, the others are asked for
            LOGGER.log(
                    Level.WARNING,
                    e,
                    () -> request.job().shortName() + " of " + request.build()
                            + " should end, but its target cannot be asked. Put that right, and it is asked within five minutes;"
                            + " or end it on " + request.job().target() + " yourself and delete " + directory() + "/"
                            + request.id() + ".wish.");
            TaoRuntime.ticker().after(AGAIN, () -> TaoRuntime.steps().execute(() -> pursueKept(request)));
        }
    }

    private void pursueKept(CancelRequest request) {
        if (store().keeps(request.id())) {
            pursue(request);
        }
    }

    private void on(CancelRequest request, JobEvent event) {
        if (event instanceof JobEvent.CancelRefused refused) {
            refused(request.job());
            LOGGER.log(Level.WARNING, "{0} of {1} is not cancelled: {2} {3}", new Object[] {
                request.job().shortName(), request.build(), refused.what(), refused.remedy()
            });
        }
        if (event instanceof JobEvent.Ended ended) {
            settle(ended.result());
            LOGGER.log(Level.FINE, "{0} of {1} has ended as requested: {2}", new Object[] {
                request.job().shortName(),
                request.build(),
                ended.result().outcome().word()
            });
        }
    }

    /** Follows the builds of a job that has another name. */
    static void moved(MovedJobs.Move move) {
        for (CancelRequest request : store().all()) {
            move.of(request.build())
                    .ifPresent(now -> store().keep(new CancelRequest(request.job(), now, request.by())));
        }
        unanswered().moved(move);
    }

    private static CancelRequestStore store() {
        return new CancelRequestStore(directory().toPath());
    }

    private static File directory() {
        return new File(Jenkins.get().getRootDir(), "tao-run");
    }
}
