package io.jenkins.plugins.tao.jenkins.run;

import hudson.XmlFile;
import hudson.model.Run;
import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.backend.Report;
import io.jenkins.plugins.tao.backend.Target;
import io.jenkins.plugins.tao.dispatch.SubmitObserver;
import io.jenkins.plugins.tao.jenkins.TaoRuntime;
import io.jenkins.plugins.tao.jenkins.config.CredentialStore;
import io.jenkins.plugins.tao.jenkins.config.Targets;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.JobSpec;
import java.io.File;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * The ends of jobs that were given up while their submission had no answer. Each is a file until its target has told the
 * job; a Jenkins that starts asks again, with the same key, and so finds the job if there is one. One that never arrived
 * is started by that, and ended at once.
 */
final class UnansweredCancels {
    private static final Logger LOGGER = Logger.getLogger(UnansweredCancels.class.getName());
    private static final String SUFFIX = ".unanswered.xml";
    private static final Duration AGAIN = Duration.ofMinutes(5);

    private final File directory;
    /** The jobs that will be asked for again: one call each, however often an answer failed. */
    private final Set<String> due = ConcurrentHashMap.newKeySet();

    UnansweredCancels(File directory) {
        this.directory = directory;
    }

    /** Keeps a request; on return it survives a crash. */
    void keep(UnansweredWish cancel) {
        try {
            new XmlFile(file(cancel)).write(cancel);
        } catch (IOException e) {
            LOGGER.log(
                    Level.WARNING,
                    e,
                    () -> "The request to end " + cancel + " is forgotten if Jenkins ends before an answer");
        }
    }

    /** The submission had an answer, or will have none from this process: hands a job over to be ended. */
    void answered(UnansweredWish cancel, @Nullable JobHandle job, @Nullable Throwable failure) {
        if (job != null) {
            CancelRequests.get().pursue(cancel.build(), job, cancel.by());
        }
        if (job != null || neverTaken(failure)) {
            new SmallFile(file(cancel).toPath()).delete();
        } else {
            tell(cancel, failure);
            askAgain(cancel);
        }
    }

    private void askAgain(UnansweredWish cancel) {
        if (due.add(cancel.key().value())) {
            TaoRuntime.ticker().after(AGAIN, () -> TaoRuntime.steps().execute(() -> pursueKept(cancel)));
        }
    }

    private static boolean neverTaken(@Nullable Throwable failure) {
        return failure instanceof CancellationException || failure instanceof BackendException.Rejected;
    }

    /** Keeps a request that no submission of this process will answer, and asks for it. */
    void pursueLater(UnansweredWish cancel) {
        keep(cancel);
        askAgain(cancel);
    }

    private void pursueKept(UnansweredWish cancel) {
        due.remove(cancel.key().value());
        if (file(cancel).exists()) {
            pursue(cancel);
        }
    }

    /** Asks for all that an earlier process left. */
    void pursueAll() {
        each(this::pursue);
    }

    /** Follows the builds of a job that has another name. */
    void moved(MovedJobs.Move move) {
        each(cancel -> move.of(cancel.build()).ifPresent(now -> {
            cancel.follow(now);
            keep(cancel);
        }));
    }

    private void each(Consumer<UnansweredWish> action) {
        File[] files = directory.listFiles((folder, name) -> name.endsWith(SUFFIX));
        for (File file : Objects.requireNonNullElse(files, new File[0])) {
            try {
                action.accept((UnansweredWish) new XmlFile(file).read());
            } catch (IOException | ClassCastException e) {
                LOGGER.log(
                        Level.WARNING, e, () -> "Cannot read " + file + ". Delete it if no job of it runs any more.");
            }
        }
    }

    /** The ids of their jobs. */
    List<String> ids() {
        String[] names = directory.list((folder, name) -> name.endsWith(SUFFIX));
        return Arrays.stream(Objects.requireNonNullElse(names, new String[0]))
                .map(name -> name.substring(0, name.length() - SUFFIX.length()))
                .toList();
    }

    private void pursue(UnansweredWish cancel) {
        try {
            CredentialStore store = Optional.<Run<?, ?>>ofNullable(Run.fromExternalizableId(cancel.build()))
                    .map(CredentialStore::of)
                    .orElseGet(CredentialStore::ofJenkins);
            JobRequest request = cancel.request();
            Target target =
                    Targets.ofBuild(cancel.build()).named(request.getTarget()).toTarget(store);
            JobSpec spec = JobSpecs.of(request, store.secrets(JobSpecs.credentialIds(request)));
            var unused = TaoRuntime.dispatcher()
                    .submit(target, spec, cancel.key(), true, new Silent())
                    .whenComplete((job, failure) -> answered(cancel, job, failure));
        } catch (IllegalArgumentException e) {
            tell(cancel, e);
            askAgain(cancel);
        }
    }

    private void tell(UnansweredWish cancel, @Nullable Throwable why) {
        LOGGER.log(
                Level.WARNING,
                why,
                () -> "It is not known whether there is a job " + cancel
                        + ", which should end. It is asked for again within some minutes. Put right what is wrong,"
                        + " or end it yourself and delete " + file(cancel) + ".");
    }

    private File file(UnansweredWish cancel) {
        return directory.toPath().resolve(cancel.key() + SUFFIX).toFile();
    }

    /** The build has ended; what is said of the submission has no reader. */
    private static final class Silent implements SubmitObserver {
        @Override
        public void checked(Report report) {}

        @Override
        public void delayed(String what, Duration next) {
            LOGGER.log(Level.FINE, "{0} Trying again in {1}.", new Object[] {what, next});
        }
    }
}
