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
import java.util.logging.Level;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * The ends of jobs that were given up while their submission had no answer. Each is a file until its target has told the
 * job; a Jenkins that starts asks again, with the same key, and so finds the job if there is one. One that never arrived
 * is started by that, and ended at once.
 */
final class UnansweredWishes {
    private static final Logger LOGGER = Logger.getLogger(UnansweredWishes.class.getName());
    private static final String SUFFIX = ".unanswered.xml";
    private static final Duration AGAIN = Duration.ofMinutes(5);

    private final File directory;
    /** The jobs that will be asked for again: one call each, however often an answer failed. */
    private final Set<String> due = ConcurrentHashMap.newKeySet();

    UnansweredWishes(File directory) {
        this.directory = directory;
    }

    /** Keeps a wish; on return it survives a crash. */
    void keep(UnansweredWish wish) {
        try {
            new XmlFile(file(wish)).write(wish);
        } catch (IOException e) {
            LOGGER.log(
                    Level.WARNING,
                    e,
                    () -> "The wish to end " + wish + " is forgotten if Jenkins ends before an answer");
        }
    }

    /** The submission had an answer, or will have none from this process: hands a job over to be ended. */
    void answered(UnansweredWish wish, @Nullable JobHandle job, @Nullable Throwable failure) {
        if (job != null) {
            CancelWishes.get().pursue(wish.build(), job, wish.by());
        }
        if (job != null || neverTaken(failure)) {
            new SmallFile(file(wish).toPath()).delete();
        } else {
            tell(wish, failure);
            askAgain(wish);
        }
    }

    private void askAgain(UnansweredWish wish) {
        if (due.add(wish.key().value())) {
            TaoRuntime.ticker().after(AGAIN, () -> TaoRuntime.steps().execute(() -> pursueKept(wish)));
        }
    }

    private static boolean neverTaken(@Nullable Throwable failure) {
        return failure instanceof CancellationException || failure instanceof BackendException.Rejected;
    }

    /** Keeps a wish that no submission of this process will answer, and asks for it. */
    void pursueLater(UnansweredWish wish) {
        keep(wish);
        askAgain(wish);
    }

    private void pursueKept(UnansweredWish wish) {
        due.remove(wish.key().value());
        if (file(wish).exists()) {
            pursue(wish);
        }
    }

    /** Asks for all that an earlier process left. */
    void pursueAll() {
        File[] files = directory.listFiles((folder, name) -> name.endsWith(SUFFIX));
        for (File file : Objects.requireNonNullElse(files, new File[0])) {
            try {
                pursue((UnansweredWish) new XmlFile(file).read());
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

    private void pursue(UnansweredWish wish) {
        try {
            CredentialStore store = Optional.<Run<?, ?>>ofNullable(Run.fromExternalizableId(wish.build()))
                    .map(CredentialStore::of)
                    .orElseGet(CredentialStore::ofJenkins);
            JobRequest request = wish.request();
            Target target =
                    Targets.ofBuild(wish.build()).named(request.getTarget()).toTarget(store);
            JobSpec spec = JobSpecs.of(request, store.secrets(JobSpecs.credentialIds(request)));
            var unused = TaoRuntime.dispatcher()
                    .submit(target, spec, wish.key(), true, new Silent())
                    .whenComplete((job, failure) -> answered(wish, job, failure));
        } catch (IllegalArgumentException e) {
            tell(wish, e);
            askAgain(wish);
        }
    }

    private void tell(UnansweredWish wish, @Nullable Throwable why) {
        LOGGER.log(
                Level.WARNING,
                why,
                () -> "It is not known whether there is a job " + wish
                        + ", which should end. It is asked for again within some minutes. Put right what is wrong,"
                        + " or end it yourself and delete " + file(wish) + ".");
    }

    private File file(UnansweredWish wish) {
        return directory.toPath().resolve(wish.key() + SUFFIX).toFile();
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
