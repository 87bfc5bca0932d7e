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
public final class CancelWishes extends ItemListener {
    private static final Logger LOGGER = Logger.getLogger(CancelWishes.class.getName());
    private static final Duration AGAIN = Duration.ofMinutes(5);

    private @Nullable UnansweredWishes unanswered;

    static CancelWishes get() {
        return ExtensionList.lookupSingleton(CancelWishes.class);
    }

    /** Keeps the wish for a job whose watch asks for it. */
    void keep(Run<?, ?> run, JobHandle job, String by) {
        store().keep(new CancelWish(job, run.getExternalizableId(), by));
    }

    /** The ids of the jobs that are asked to end until that is confirmed. */
    static Set<String> wished() {
        Set<String> ids = new HashSet<>(unanswered().ids());
        store().all().forEach(wish -> ids.add(wish.id()));
        return ids;
    }

    /** Forgets a wish once its job has ended; of a lost job nobody knows that it has. */
    void settle(JobResult ended) {
        if (!(ended.outcome() instanceof Outcome.Lost)) {
            LastBuilds.get().drop(ended.handle().key());
            drop(ended.handle());
        }
    }

    /** Forgets a wish that was refused: another controller holds the job, and it is for that one to end it. */
    void refused(JobHandle job) {
        drop(job);
    }

    /** A wish that cannot be deleted costs a look at an ended job when Jenkins starts again, and must cost no more. */
    private static void drop(JobHandle job) {
        try {
            store().drop(job.key().value());
        } catch (UncheckedIOException e) {
            LOGGER.log(Level.WARNING, e, () -> "the wish to end " + job.shortName() + " stays though it is settled");
        }
    }

    /** Keeps the wish and asks for it, again and again, until it is confirmed; returns at once. */
    void pursue(String build, JobHandle job, String by) {
        CancelWish wish = new CancelWish(job, build, by);
        store().keep(wish);
        pursue(wish);
    }

    /** The same for jobs whose submission has no answer yet. */
    static UnansweredWishes unanswered() {
        return get().notAnswered();
    }

    private synchronized UnansweredWishes notAnswered() {
        UnansweredWishes known = unanswered;
        if (known == null) {
            known = new UnansweredWishes(directory());
            unanswered = known;
        }
        return known;
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
    private void pursue(CancelWish wish) {
        try {
            Optional<Run<?, ?>> run = Optional.ofNullable(Run.fromExternalizableId(wish.build()));
            Target target = Targets.ofBuild(wish.build())
                    .named(wish.job().target())
                    .toTarget(run.map(CredentialStore::of).orElseGet(CredentialStore::ofJenkins));
            File home = run.map(Run::getRootDir).orElseGet(CancelWishes::directory);
            CompletableFuture<Watch> own = new CompletableFuture<>();
            own.complete(TaoRuntime.dispatcher()
                    .watch(
                            target,
                            wish.job(),
                            WatchPlan.defaults().withoutRetries(),
                            new MemoryFile(home, wish.id(), () -> {}),
                            event -> {
                                on(wish, event);
                                if (event instanceof JobEvent.CancelRefused) {
                                    var unused = own.thenAccept(Watch::detach);
                                }
                            }));
            own.join().cancel(wish.by());
        } catch (RuntimeException e) { // whatever is wrong with this one, the others are asked for
            LOGGER.log(
                    Level.WARNING,
                    e,
                    () -> wish.job().shortName() + " of " + wish.build()
                            + " should end, but its target cannot be asked. Put that right, and it is asked within five minutes;"
                            + " or end it on " + wish.job().target() + " yourself and delete " + directory() + "/"
                            + wish.id() + ".wish.");
            TaoRuntime.ticker().after(AGAIN, () -> TaoRuntime.steps().execute(() -> pursueKept(wish)));
        }
    }

    private void pursueKept(CancelWish wish) {
        if (store().keeps(wish.id())) {
            pursue(wish);
        }
    }

    private void on(CancelWish wish, JobEvent event) {
        if (event instanceof JobEvent.CancelRefused refused) {
            refused(wish.job());
            LOGGER.log(Level.WARNING, "{0} of {1} is not cancelled: {2} {3}", new Object[] {
                wish.job().shortName(), wish.build(), refused.what(), refused.remedy()
            });
        }
        if (event instanceof JobEvent.Ended ended) {
            settle(ended.result());
            LOGGER.log(Level.FINE, "{0} of {1} has ended as wished: {2}", new Object[] {
                wish.job().shortName(), wish.build(), ended.result().outcome().word()
            });
        }
    }

    private static WishStore store() {
        return new WishStore(directory().toPath());
    }

    private static File directory() {
        return new File(Jenkins.get().getRootDir(), "tao-run");
    }
}
