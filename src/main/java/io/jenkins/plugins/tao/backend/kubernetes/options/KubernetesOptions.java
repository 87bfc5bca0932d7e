package io.jenkins.plugins.tao.backend.kubernetes.options;

import static io.jenkins.plugins.tao.job.Require.require;

import io.jenkins.plugins.tao.job.Durations;
import io.jenkins.plugins.tao.job.JobOptions;
import io.jenkins.plugins.tao.job.text.Option;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/**
 * What only Kubernetes understands of a job.
 *
 * @param namespace where the job runs, instead of the target's
 * @param imagePullSecret an existing secret for private images
 * @param createPullSecret whether a pull secret for the image's registry is made of the job's secret {@code NGC_KEY}
 * @param nodeSelector labels that nodes must have; replaces the target's
 * @param tolerations taints that the job bears; replaces the target's
 * @param volumes volumes beside the target's: {@code claim:/path} or {@code claim:/path:ro}, others as {@link VolumeMount} says
 * @param memory memory of each pod, as in {@code 64Gi}
 * @param ephemeralStorage scratch space of each pod, as in {@code 200Gi}
 * @param shm size of {@code /dev/shm}
 * @param gpuResource what a GPU is called, as in {@code nvidia.com/mig-1g.10gb}
 * @param gpuCheck whether each pod counts its GPUs before the command starts
 * @param shell what runs the command
 * @param serviceAccount the account of the pods
 * @param priorityClass the priority class of the pods
 * @param labels further labels of Job and pods
 * @param annotations further annotations of Job and pods
 * @param queue a local queue of Kueue, or the queue of Volcano
 * @param scheduler a scheduler other than the cluster's; {@code volcano} also makes a PodGroup
 * @param restartPolicy {@code Never} or {@code OnFailure}
 * @param backoffLimit how often a failed pod is replaced
 * @param completions pods that must succeed, each with its {@code JOB_COMPLETION_INDEX}
 * @param parallelism pods of these at the same time
 * @param members whether each of these has its own results, log and outcome, and a failed one does not stop the others
 * @param ttl how long the finished Job is kept, at least 10 minutes
 * @param grace the time between the polite signal and the last one
 * @param startDeadline the time within which all pods must run, from submission or admission
 * @param pullDeadline how long an image may fail to be pulled
 * @param fetchFromVolume whether files on a volume are fetched by a small pod that mounts it
 * @param pod what else the pods have: further resources, capabilities, secrets by reference, a patch of their template
 */
public record KubernetesOptions(
        @Option(defaultsTo = "the target's") Optional<String> namespace,
        @Option(defaultsTo = "the target's") Optional<String> imagePullSecret,
        @Option(defaultsTo = "no") Optional<Boolean> createPullSecret,
        @Option(defaultsTo = "the target's") Map<String, String> nodeSelector,
        @Option(defaultsTo = "the target's") List<String> tolerations,
        List<String> volumes,
        @Option(unit = "bytes, with a letter: `64Gi`") Optional<String> memory,
        @Option(unit = "bytes, with a letter: `200Gi`") Optional<String> ephemeralStorage,

        @Option(defaultsTo = "`" + SHM + "`", unit = "bytes, with a letter: `16Gi`")
        Optional<String> shm,

        @Option(defaultsTo = "`" + GPU + "`") Optional<String> gpuResource,
        @Option(defaultsTo = "yes") Optional<Boolean> gpuCheck,
        @Option(defaultsTo = "`bash`") Optional<Shell> shell,
        @Option(defaultsTo = "the target's") Optional<String> serviceAccount,
        Optional<String> priorityClass,
        Map<String, String> labels,
        Map<String, String> annotations,
        @Option(defaultsTo = "the target's") Optional<String> queue,
        Optional<String> scheduler,
        @Option(defaultsTo = "`Never`") Optional<String> restartPolicy,
        @Option(defaultsTo = "0") OptionalInt backoffLimit,
        @Option(defaultsTo = "one") OptionalInt completions,
        @Option(defaultsTo = "all") OptionalInt parallelism,
        @Option(defaultsTo = "no") Optional<Boolean> members,
        @Option(defaultsTo = "one hour") Optional<Duration> ttl,
        @Option(defaultsTo = "30 seconds") Optional<Duration> grace,

        @Option(defaultsTo = "none, one hour for several nodes")
        Optional<Duration> startDeadline,

        @Option(defaultsTo = "15 minutes") Optional<Duration> pullDeadline,
        @Option(defaultsTo = "the target's") Optional<Boolean> fetchFromVolume,
        Optional<PodShape> pod)
        implements JobOptions {
    public static final String GPU = "nvidia.com/gpu";
    public static final String SHM = "16Gi";

    /** The longest pause between two looks, after several refusals of a cluster. */
    private static final Duration SHORTEST_TTL = Duration.ofMinutes(10);

    /** Each is told by its index in the id of the job. */
    private static final int MOST_MEMBERS = 1000;

    private static final Set<String> POLICIES = Set.of("Never", "OnFailure");

    /** What runs the command. */
    public enum Shell {
        BASH,
        /** For images without bash. */
        SH
    }

    public KubernetesOptions {
        KubernetesWords.label("namespace", namespace);
        KubernetesWords.name("imagePullSecret", imagePullSecret);
        boolean twice = imagePullSecret.isPresent() && createPullSecret.orElse(false);
        require(!twice, "give imagePullSecret or createPullSecret, not both");
        nodeSelector = copy("nodeSelector", nodeSelector);
        labels = copy("labels", labels);
        annotations = Collections.unmodifiableMap(new LinkedHashMap<>(annotations));
        annotations.keySet().forEach(key -> KubernetesWords.labelKey("annotations", key));
        tolerations = List.copyOf(tolerations);
        tolerations.forEach(Tolerated::parse);
        volumes = List.copyOf(volumes);
        volumes.forEach(VolumeMount::parse);
        KubernetesWords.quantity("memory", memory);
        KubernetesWords.quantity("ephemeralStorage", ephemeralStorage);
        KubernetesWords.quantity("shm", shm);
        gpuResource.ifPresent(word -> KubernetesWords.labelKey("gpuResource", word));
        KubernetesWords.name("serviceAccount", serviceAccount);
        KubernetesWords.name("priorityClass", priorityClass);
        KubernetesWords.name("queue", queue);
        KubernetesWords.name("scheduler", scheduler);
        restartPolicy.ifPresent(KubernetesOptions::requirePolicy);
        atLeast("backoffLimit", 0, backoffLimit);
        atLeast("completions", 1, completions);
        atLeast("parallelism", 1, parallelism);
        require(parallelism.isEmpty() || completions.isPresent(), "parallelism needs completions");
        if (members.orElse(false)) {
            requireMembers(completions);
        }
        ttl.ifPresent(time -> require(
                time.compareTo(SHORTEST_TTL) >= 0,
                "ttl must be at least 10 minutes, was %s: a Job that goes sooner may be gone, with its exit code and"
                        + " the end of its log, before it is looked at again",
                Durations.words(time)));
        atLeast("grace", 0, grace);
        atLeast("startDeadline", 60, startDeadline);
        atLeast("pullDeadline", 60, pullDeadline);
    }

    private static void requireMembers(OptionalInt completions) {
        require(completions.isPresent(), "members needs completions: how many there are");
        require(
                completions.getAsInt() <= MOST_MEMBERS,
                "a job has at most %d members, was %d",
                MOST_MEMBERS,
                completions.getAsInt());
    }

    private static void requirePolicy(String word) {
        require(
                POLICIES.contains(word),
                "restartPolicy must be Never or OnFailure, was '%s': a Job cannot have another one",
                word);
    }

    private static Map<String, String> copy(String field, Map<String, String> map) {
        KubernetesWords.labels(field, map);
        return Collections.unmodifiableMap(new LinkedHashMap<>(map));
    }

    private static void atLeast(String field, int least, OptionalInt value) {
        value.ifPresent(number -> require(number >= least, "%s must be at least %d, was %d", field, least, number));
    }

    private static void atLeast(String field, int seconds, Optional<Duration> value) {
        value.ifPresent(time ->
                require(time.toSeconds() >= seconds, "%s must be at least %d seconds, was %s", field, seconds, time));
    }
}
