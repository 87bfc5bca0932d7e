package io.jenkins.plugins.tao.jenkins.run;

import hudson.Extension;
import hudson.ExtensionList;
import hudson.model.Run;
import io.jenkins.plugins.tao.job.text.Fingerprint;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.logging.Level;
import java.util.logging.Logger;
import jenkins.model.Jenkins;

/** The builds that have submitted jobs and whose end this plugin has not seen: a small file each, kept over restarts. */
@Extension
public final class OpenBuilds {
    private static final Logger LOGGER = Logger.getLogger(OpenBuilds.class.getName());
    private static final String SUFFIX = ".build";
    private static final int DIGITS = 24;

    private final Set<String> kept = ConcurrentHashMap.newKeySet();

    static OpenBuilds get() {
        return ExtensionList.lookupSingleton(OpenBuilds.class);
    }

    /**
     * Keeps a build; on return that survives a crash. The build itself is saved with it, once: Jenkins writes a Freestyle build
     * when it ends, and does not know one that it never wrote.
     */
    void open(Run<?, ?> run) {
        String id = run.getExternalizableId();
        if (!kept.contains(id)) {
            file(id).write(id);
            save(run);
            kept.add(id);
        }
    }

    private static void save(Run<?, ?> run) {
        try {
            run.save();
        } catch (IOException e) {
            LOGGER.log(Level.WARNING, e, () -> "could not save " + run.getExternalizableId());
        }
    }

    /** Forgets a build whose jobs are settled. */
    void close(String id) {
        kept.remove(id);
        try {
            file(id).delete();
        } catch (UncheckedIOException e) {
            LOGGER.log(
                    Level.WARNING, e, () -> id + " is looked after again when Jenkins starts, though it needs it not");
        }
    }

    /** The ids of all that are kept. */
    List<String> all() {
        List<String> ids = new ArrayList<>();
        File[] files = directory().listFiles((folder, name) -> name.endsWith(SUFFIX));
        for (File file : Objects.requireNonNullElse(files, new File[0])) {
            Optional<String> id = new SmallFile(file.toPath()).read();
            id.ifPresent(ids::add);
        }
        return ids;
    }

    /** Follows the builds of a job that has another name. */
    void moved(MovedJobs.Move move) {
        for (String id : all()) {
            move.of(id).ifPresent(now -> {
                file(now).write(now);
                kept.add(now);
                close(id);
            });
        }
    }

    private static SmallFile file(String id) {
        return new SmallFile(directory().toPath().resolve(Fingerprint.of(id, DIGITS) + SUFFIX));
    }

    private static File directory() {
        return new File(Jenkins.get().getRootDir(), "tao-run");
    }
}
