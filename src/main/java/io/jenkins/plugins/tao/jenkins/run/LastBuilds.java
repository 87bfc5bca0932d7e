package io.jenkins.plugins.tao.jenkins.run;

import io.jenkins.plugins.tao.job.JobKey;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.logging.Level;
import java.util.logging.Logger;
import jenkins.model.Jenkins;

/**
 * Which build had to do last with each job of this controller: a small file each, until its end is seen. It tells a job of
 * this controller from others where a target does not, also when the build has been deleted.
 */
record LastBuilds(Path directory) {
    private static final Logger LOGGER = Logger.getLogger(LastBuilds.class.getName());
    /** A job that is so young may be on its way still. */
    private static final Duration YOUNG = Duration.ofDays(1);

    static LastBuilds get() {
        return new LastBuilds(Jenkins.get().getRootDir().toPath().resolve("tao").resolve("sent"));
    }

    /** Notes it without waiting for the disk: a note that a crash takes costs the name of the build, not the job. */
    void keep(JobKey job, String target, String build) {
        try {
            Files.createDirectories(directory);
            Files.write(file(job.value()), (target + "\n" + build + "\n").getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            LOGGER.log(Level.WARNING, e, () -> "could not note the build of " + job);
        }
    }

    /** The build; empty if the job is not one of this controller's, or has ended. */
    Optional<String> of(JobKey job) {
        return line(file(job.value()), 1);
    }

    void drop(JobKey job) {
        delete(file(job.value()));
    }

    /** Forgets the jobs of {@code target} that it does not know any more, by a look that had no gaps. */
    void keepOnly(String target, Collection<String> live, Instant now) {
        File[] files = directory.toFile().listFiles();
        for (File file : Objects.requireNonNullElse(files, new File[0])) {
            boolean old = Instant.ofEpochMilli(file.lastModified()).plus(YOUNG).isBefore(now);
            if (old && !live.contains(file.getName()) && line(file.toPath(), 0).equals(Optional.of(target))) {
                delete(file.toPath());
            }
        }
    }

    /** Follows the builds of a job that has another name. */
    void moved(MovedJobs.Move move) {
        File[] files = directory.toFile().listFiles();
        for (File file : Objects.requireNonNullElse(files, new File[0])) {
            line(file.toPath(), 1)
                    .flatMap(move::of)
                    .ifPresent(now -> keep(
                            new JobKey(file.getName()), line(file.toPath(), 0).orElse(""), now));
        }
    }

    private Path file(String id) {
        return directory.resolve(id);
    }

    private static Optional<String> line(Path file, int number) {
        try {
            List<String> lines = Files.exists(file) ? Files.readAllLines(file) : List.of();
            return lines.size() > number ? Optional.of(lines.get(number)) : Optional.empty();
        } catch (IOException | UncheckedIOException e) {
            LOGGER.log(Level.WARNING, e, () -> "could not read " + file);
            return Optional.empty();
        }
    }

    private static void delete(Path file) {
        try {
            Files.deleteIfExists(file);
        } catch (IOException e) {
            LOGGER.log(Level.WARNING, e, () -> "could not delete " + file);
        }
    }
}
