package io.jenkins.plugins.tao.jenkins.page;

import hudson.model.Run;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;

/**
 * The files of this plugin in the directory of a build. Jenkins moves that directory with its job, also while the build runs: no path of
 * it is kept, each use asks again.
 */
public final class BuildFolder {
    /** From {@code JOB/builds/1/archive/tao} to {@code JOB}. */
    private static final int LEVELS = 5;

    private BuildFolder() {}

    /** The folder {@code tao} of {@code build}, where it lies now; it may not be there. */
    public static Path of(Run<?, ?> build) {
        return root(build).resolve("tao");
    }

    /** The folder of the job {@code id}: what programs read of it. */
    public static Path ofJob(Run<?, ?> build, String id) {
        return of(build).resolve(id + ".run");
    }

    /** A file of the job {@code id}: in its folder, or else where Jenkins itself archives it; it may be in neither. */
    public static Path file(Run<?, ?> build, String id, String name) {
        Path own = ofJob(build, id).resolve(name);
        return Files.exists(own) ? own : archived(build, id, name);
    }

    /** Where Jenkins itself archives a file of the job {@code id}; other artifact managers keep none there. */
    public static Path archived(Run<?, ?> build, String id, String name) {
        return root(build).resolve("archive").resolve("tao").resolve(id).resolve(name);
    }

    /** Removes {@code folder} of a build that was moved while files were copied there, and what is empty above it, the job's directory at most. */
    public static void removeRemains(Path folder) throws IOException {
        if (Files.exists(folder)) {
            try (Stream<Path> all = Files.walk(folder)) {
                for (Path file : all.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(file);
                }
            }
        }
        Path above = folder.getParent();
        for (int level = 0; level < LEVELS && above != null && above.toFile().delete(); level++) {
            above = above.getParent();
        }
    }

    private static Path root(Run<?, ?> build) {
        Path root = build.getRootDir().toPath();
        if (Files.exists(root)) {
            return root;
        }
        synchronized (build.getParent()) { // a job that is being renamed has its new name before its files have moved
            return build.getRootDir().toPath();
        }
    }
}
