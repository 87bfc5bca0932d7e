package io.jenkins.plugins.tao.backend.slurm.options;

import static io.jenkins.plugins.tao.job.Require.require;

import io.jenkins.plugins.tao.backend.Avoiding;
import io.jenkins.plugins.tao.remote.ssh.SshLogin;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * A Slurm cluster.
 *
 * @param name what jobs call it
 * @param login how to log in: the login hosts in order, user, key and host keys
 * @param baseDirectory a directory of the user on the filesystem that login hosts and nodes share; scripts, logs and, by
 *     default, results lie below it
 * @param sharedRoots where inputs may lie; empty for {@code /lustre}; the base directory always counts
 * @param partitions where jobs may run, in order of preference; empty for the cluster's own default
 * @param account what jobs are charged to; empty for the user's default account
 * @param containerMounts what containers see, as {@code SRC}, {@code SRC:DST} or {@code SRC:DST:FLAGS}; empty for {@code /lustre}
 * @param maxGpusPerNode GPUs of one node; empty for 8
 * @param time wall time of jobs that give none; empty for 4 hours
 * @param requeue whether Slurm starts a job again after a node failure or preemption; empty for yes
 * @param launcher how containers start; empty for Pyxis
 * @param useSqsh whether registry images are converted to squash files before the job starts; empty for yes exactly when
 *     {@code sqshCacheDir} or {@code conversionPartition} is given
 * @param sqshCacheDir where squash files are kept; empty for {@code sqsh} below the base directory
 * @param conversionPartition a partition without GPUs; empty for {@code cpu}
 * @param conversionTimeout wall time of a conversion; empty for 30 minutes
 * @param conversionMemory memory of a conversion, as in {@code 32G}, which is the default
 * @param cluster which cluster of several behind one login host; empty for the host's own
 * @param keepStaged how long what was staged for a job stays after its last sign of life; empty for 30 days, zero for ever
 * @param avoidFailedNodesFor how long later jobs avoid a node that failed under one, as in {@code 12h}; empty for not at all
 * @param rest the cluster's {@code slurmrestd}, asked instead of Slurm's commands; empty for the commands of the login host
 */
public record SlurmTarget(
        String name,
        SshLogin login,
        String baseDirectory,
        List<String> sharedRoots,
        List<String> partitions,
        Optional<String> account,
        List<String> containerMounts,
        OptionalInt maxGpusPerNode,
        Optional<Duration> time,
        Optional<Boolean> requeue,
        Optional<Launcher> launcher,
        Optional<Boolean> useSqsh,
        Optional<String> sqshCacheDir,
        Optional<String> conversionPartition,
        Optional<Duration> conversionTimeout,
        Optional<String> conversionMemory,
        Optional<String> cluster,
        Optional<Duration> keepStaged,
        Optional<Duration> avoidFailedNodesFor,
        Optional<SlurmRest> rest)
        implements Avoiding.Place {

    /** How a container gets onto the nodes. A job without image starts as a plain command with any of them. */
    public enum Launcher {
        /** By the container options that Pyxis gives to {@code srun}. */
        PYXIS,
        /** By {@code apptainer exec} inside {@code srun}, where there is no Pyxis. */
        APPTAINER
    }

    /** The queues of four hours that come as an example with the documentation of TAO's own clusters. */
    public static final List<String> FOUR_HOUR_PARTITIONS = List.of("polar", "polar3", "polar4", "grizzly");

    private static final List<String> LUSTRE = List.of("/lustre");
    private static final int GPUS_PER_NODE = 8;
    private static final Duration A_MONTH = Duration.ofDays(30);
    private static final Duration FOUR_HOURS = Duration.ofHours(4);

    public SlurmTarget {
        require(name.matches("[A-Za-z0-9._-]+"), "target name '%s' must be letters, digits and . _ -", name);
        baseDirectory = withoutSlash(baseDirectory);
        SlurmWords.path("baseDirectory", baseDirectory);
        require(baseDirectory.length() > 1, "baseDirectory must not be /");
        sharedRoots = sharedRoots.stream().map(SlurmTarget::withoutSlash).toList();
        sharedRoots.forEach(root -> SlurmWords.path("sharedRoots", root));
        partitions = List.copyOf(partitions);
        partitions.forEach(partition -> SlurmWords.name("partitions", Optional.of(partition)));
        SlurmWords.name("account", account);
        containerMounts = List.copyOf(containerMounts);
        containerMounts.forEach(SlurmWords::mount);
        maxGpusPerNode.ifPresent(gpus -> require(gpus >= 1, "maxGpusPerNode must be at least 1, was %d", gpus));
        time.ifPresent(limit -> require(limit.toMinutes() >= 1, "time must be at least one minute, was %s", limit));
        sqshCacheDir = sqshCacheDir.map(SlurmTarget::withoutSlash);
        sqshCacheDir.ifPresent(path -> SlurmWords.path("sqshCacheDir", path));
        SlurmWords.names("conversionPartition", conversionPartition);
        SlurmWords.memory("conversionMemory", conversionMemory);
        conversionTimeout.ifPresent(limit ->
                require(limit.toMinutes() >= 1, "conversionTimeout must be at least one minute, was %s", limit));
        SlurmWords.name("cluster", cluster);
        avoidFailedNodesFor.ifPresent(
                avoided -> require(!avoided.isNegative(), "avoidFailedNodesFor must not be negative, was %s", avoided));
        require(
                rest.isEmpty() || cluster.isEmpty(),
                "target '%s' has both rest and cluster: a slurmrestd speaks for one cluster; leave cluster out",
                name);
        keepStaged.ifPresent(kept -> require(
                kept.isZero() || kept.toDays() >= 1,
                "keepStaged must be at least one day, or 0 for ever, was %s",
                kept));
    }

    /** Where inputs may lie, the base directory included. */
    public List<String> roots() {
        List<String> given = sharedRoots.isEmpty() ? LUSTRE : sharedRoots;
        return given.contains(baseDirectory)
                ? given
                : java.util.stream.Stream.concat(given.stream(), java.util.stream.Stream.of(baseDirectory))
                        .toList();
    }

    public List<String> mounts() {
        return containerMounts.isEmpty() ? LUSTRE : containerMounts;
    }

    public int gpusPerNode() {
        return maxGpusPerNode.orElse(GPUS_PER_NODE);
    }

    public boolean convertsImages() {
        return sqshCacheDir.isPresent() || conversionPartition.isPresent();
    }

    Duration wallTime() {
        return time.orElse(FOUR_HOURS);
    }

    /** How long staged files stay; zero for ever. */
    public Duration keeps() {
        return keepStaged.orElse(A_MONTH);
    }

    public SlurmLayout layout() {
        return new SlurmLayout(baseDirectory);
    }

    private static String withoutSlash(String path) {
        return path.length() > 1 && path.endsWith("/") ? withoutSlash(path.substring(0, path.length() - 1)) : path;
    }
}
