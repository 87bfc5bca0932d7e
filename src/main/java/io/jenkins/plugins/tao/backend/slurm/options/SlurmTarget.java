package io.jenkins.plugins.tao.backend.slurm.options;

import static io.jenkins.plugins.tao.job.Require.require;

import io.jenkins.plugins.tao.backend.Avoiding;
import io.jenkins.plugins.tao.job.text.Option;
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
 * @param sharedRoots where inputs may lie; the base directory always counts
 * @param partitions where jobs may run, in order of preference
 * @param account what jobs are charged to
 * @param containerMounts what containers see, as {@code SRC}, {@code SRC:DST} or {@code SRC:DST:FLAGS}
 * @param maxGpusPerNode GPUs of one node
 * @param time wall time of jobs that give none
 * @param requeue whether Slurm starts a job again after a node failure or preemption
 * @param launcher how containers start
 * @param useSqsh whether registry images are converted to squash files before the job starts
 * @param sqshCacheDir where squash files are kept
 * @param conversionPartition a partition without GPUs
 * @param conversionTimeout wall time of a conversion
 * @param conversionMemory memory of a conversion, as in {@code 32G}
 * @param cluster which cluster of several behind one login host
 * @param keepStaged how long what was staged for a job stays after its last sign of life
 * @param avoidFailedNodesFor how long later jobs avoid a node that failed under one, as in {@code 12h}
 * @param rest the cluster's {@code slurmrestd}, asked instead of Slurm's commands
 */
public record SlurmTarget(
        String name,
        SshLogin login,
        String baseDirectory,
        @Option(defaultsTo = "`/lustre`") List<String> sharedRoots,
        @Option(defaultsTo = "the cluster's own default") List<String> partitions,
        @Option(defaultsTo = "the user's default account") Optional<String> account,
        @Option(defaultsTo = "`/lustre`") List<String> containerMounts,
        @Option(defaultsTo = "" + GPUS_PER_NODE) OptionalInt maxGpusPerNode,
        @Option(defaultsTo = "4 hours") Optional<Duration> time,
        @Option(defaultsTo = "yes") Optional<Boolean> requeue,
        @Option(defaultsTo = "`pyxis`") Optional<Launcher> launcher,

        @Option(defaultsTo = "yes exactly when `sqshCacheDir` or `conversionPartition` is given")
        Optional<Boolean> useSqsh,

        @Option(defaultsTo = "`sqsh` below the base directory")
        Optional<String> sqshCacheDir,

        @Option(defaultsTo = "`" + CONVERSION_PARTITION + "`")
        Optional<String> conversionPartition,

        @Option(defaultsTo = "30 minutes") Optional<Duration> conversionTimeout,

        @Option(defaultsTo = "`" + CONVERSION_MEMORY + "`", unit = "bytes, with a letter: `32G`")
        Optional<String> conversionMemory,

        @Option(defaultsTo = "the host's own") Optional<String> cluster,
        @Option(defaultsTo = "30 days, zero for ever") Optional<Duration> keepStaged,
        @Option(defaultsTo = "not at all") Optional<Duration> avoidFailedNodesFor,

        @Option(defaultsTo = "the commands of the login host")
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

    public static final String CONVERSION_PARTITION = "cpu";
    public static final String CONVERSION_MEMORY = "32G";

    private static final List<String> LUSTRE = List.of("/lustre");
    private static final int GPUS_PER_NODE = 8;
    private static final Duration A_MONTH = Duration.ofDays(30);
    private static final Duration FOUR_HOURS = Duration.ofHours(4);

    /** The generated hash takes a cold JVM 10 ms. */
    @Override
    public int hashCode() {
        return name.hashCode();
    }

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
