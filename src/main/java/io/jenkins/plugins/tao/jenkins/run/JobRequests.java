package io.jenkins.plugins.tao.jenkins.run;

import hudson.XmlFile;
import hudson.model.Run;
import io.jenkins.plugins.tao.bind.SpecPaths;
import io.jenkins.plugins.tao.gate.criteria.SeedPlace;
import io.jenkins.plugins.tao.job.JobKey;
import io.jenkins.plugins.tao.job.Secret;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.Stream;

/** What was asked for, as it was asked: credentials by their ids. Kept in the folder of the build, for a later attempt of a person. */
public final class JobRequests {
    private static final Logger LOGGER = Logger.getLogger(JobRequests.class.getName());
    private static final String FILE = "request.xml";

    private JobRequests() {}

    /** Keeps a request; a full disk costs that it cannot be repeated and nothing else. */
    static void keep(Run<?, ?> run, JobKey key, Object request) {
        Path file = file(run.getRootDir().toPath(), key);
        try {
            Files.createDirectories(file.resolveSibling(""));
            new XmlFile(file.toFile()).write(request);
        } catch (IOException e) {
            LOGGER.log(Level.WARNING, e, () -> "could not keep the request of " + key);
        }
    }

    /**
     * The request of a job that this build or an earlier one of the same Jenkins job submitted.
     *
     * @throws IllegalArgumentException if it is not known here
     */
    public static JobRequest of(Run<?, ?> run, JobKey key) throws IOException {
        Path own = file(run.getRootDir().toPath(), key);
        Optional<Path> file = Files.exists(own) ? Optional.of(own) : inOtherBuilds(run, key);
        if (file.isPresent()) {
            Object kept = new XmlFile(file.get().toFile()).read();
            if (kept instanceof SealedRequest sealed) {
                LiveBuilds.get().of(run).bind(sealed.secrets());
                return sealed.open();
            }
            if (kept instanceof JobRequest request) {
                return request;
            }
        }
        throw new IllegalArgumentException("It is not known here what was asked for " + key
                + ". taoRetry repeats jobs of builds of the same Jenkins job that were not deleted; else use taoRun.");
    }

    /**
     * Refuses the place of a seed that the spec of a job of this build does not have.
     *
     * @throws IllegalArgumentException if it differs by a slip from one that it has
     */
    public static void checkSeed(Run<?, ?> run, List<String> ids, Optional<SeedPlace> seed) throws IOException {
        if (seed.filter(SeedPlace::isInSpec).isEmpty()) {
            return;
        }
        for (String id : ids) {
            JobKey key = new JobKey(id);
            if (Files.exists(file(run.getRootDir().toPath(), key))) {
                SpecPaths.checkSeed(seed.orElseThrow().name(), JobSpecs.experiment(of(run, key)));
            }
        }
    }

    /** The secrets that the build had bound and that went into a job of it by its texts. */
    static List<Secret> bound(Run<?, ?> run, JobKey key) {
        Path file = file(run.getRootDir().toPath(), key);
        try {
            return Files.exists(file)
                            && Files.readString(file, StandardCharsets.ISO_8859_1)
                                    .contains("SealedRequest")
                            && new XmlFile(file.toFile()).read() instanceof SealedRequest sealed
                    ? sealed.secrets()
                    : List.of();
        } catch (IOException e) {
            LOGGER.log(Level.WARNING, e, () -> "cannot read what was asked for " + key);
            return List.of();
        }
    }

    private static Optional<Path> inOtherBuilds(Run<?, ?> run, JobKey key) throws IOException {
        Path builds = run.getRootDir().toPath().resolveSibling("");
        if (!Files.isDirectory(builds)) {
            return Optional.empty();
        }
        try (Stream<Path> all = Files.list(builds)) {
            return all.map(build -> file(build, key)).filter(Files::exists).findFirst();
        }
    }

    private static Path file(Path build, JobKey key) {
        return build.resolve("tao").resolve(key.value() + ".run").resolve(FILE);
    }
}
