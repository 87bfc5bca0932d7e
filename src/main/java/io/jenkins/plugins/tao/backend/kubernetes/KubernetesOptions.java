package io.jenkins.plugins.tao.backend.kubernetes;

import static io.jenkins.plugins.tao.job.Require.require;

import io.jenkins.plugins.tao.job.Durations;
import io.jenkins.plugins.tao.job.JobOptions;
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
 * @param createPullSecret whether a pull secret for the image's registry is made of the job's secret {@code NGC_KEY}; empty for no
 * @param nodeSelector labels that nodes must have; replaces the target's
 * @param tolerations taints that the job bears; replaces the target's
 * @param volumes persistent volume claims beside the target's: {@code claim:/path} or {@code claim:/path:ro}
 * @param memory memory of each pod, as in {@code 64Gi}
 * @param ephemeralStorage scratch space of each pod, as in {@code 200Gi}
 * @param shm size of {@code /dev/shm}; empty for {@code 16Gi}
 * @param gpuResource what a GPU is called, as in {@code nvidia.com/mig-1g.10gb}; empty for {@code nvidia.com/gpu}
 * @param gpuCheck whether each pod counts its GPUs before the command starts; empty for yes
 * @param shell what runs the command; empty for bash
 * @param serviceAccount the account of the pods
 * @param priorityClass the priority class of the pods
 * @param labels further labels of Job and pods
 * @param annotations further annotations of Job and pods
 * @param queue a local queue of Kueue, or the queue of Volcano
 * @param scheduler a scheduler other than the cluster's; {@code volcano} also makes a PodGroup
 * @param restartPolicy {@code Never}, the default, or {@code OnFailure}
 * @param backoffLimit how often a failed pod is replaced; empty for 0
 * @param completions pods that must succeed, each with its {@code JOB_COMPLETION_INDEX}; empty for one
 * @param parallelism pods of these at the same time; empty for all
 * @param ttl how long the finished Job is kept, at least 10 minutes; empty for one hour
 * @param grace the time between the polite signal and the last one; empty for 30 seconds
 * @param startDeadline the time within which all pods must run, from submission or admission; empty for none, one hour for several nodes
 * @param pullDeadline how long an image may fail to be pulled; empty for 15 minutes
 */
public record KubernetesOptions(
        Optional<String> namespace,
        Optional<String> imagePullSecret,
        Optional<Boolean> createPullSecret,
        Map<String, String> nodeSelector,
        List<String> tolerations,
        List<String> volumes,
        Optional<String> memory,
        Optional<String> ephemeralStorage,
        Optional<String> shm,
        Optional<String> gpuResource,
        Optional<Boolean> gpuCheck,
        Optional<Shell> shell,
        Optional<String> serviceAccount,
        Optional<String> priorityClass,
        Map<String, String> labels,
        Map<String, String> annotations,
        Optional<String> queue,
        Optional<String> scheduler,
        Optional<String> restartPolicy,
        OptionalInt backoffLimit,
        OptionalInt completions,
        OptionalInt parallelism,
        Optional<Duration> ttl,
        Optional<Duration> grace,
        Optional<Duration> startDeadline,
        Optional<Duration> pullDeadline)
        implements JobOptions {
    /** The longest pause between two looks, after several refusals of a cluster. */
    private static final Duration SHORTEST_TTL = Duration.ofMinutes(10);

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
        ttl.ifPresent(time -> require(
                time.compareTo(SHORTEST_TTL) >= 0,
                "ttl must be at least 10 minutes, was %s: a Job that goes sooner may be gone, with its exit code and the end"
                        + " of its log, before it is looked at again",
                Durations.words(time)));
        atLeast("grace", 0, grace);
        atLeast("startDeadline", 60, startDeadline);
        atLeast("pullDeadline", 60, pullDeadline);
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

    /** Everything as the target has it. */
    public static KubernetesOptions defaults() {
        return builder().build();
    }

    /** Options with every default, to be changed. */
    public static Builder builder() {
        return new Builder();
    }

    /** Builds a {@link KubernetesOptions} step by step; the checks are made by {@link #build}. */
    public static final class Builder {
        private Optional<String> namespace = Optional.empty();
        private Optional<String> imagePullSecret = Optional.empty();
        private Optional<Boolean> createPullSecret = Optional.empty();
        private Map<String, String> nodeSelector = Map.of();
        private List<String> tolerations = List.of();
        private List<String> volumes = List.of();
        private Optional<String> memory = Optional.empty();
        private Optional<String> ephemeralStorage = Optional.empty();
        private Optional<String> shm = Optional.empty();
        private Optional<String> gpuResource = Optional.empty();
        private Optional<Boolean> gpuCheck = Optional.empty();
        private Optional<Shell> shell = Optional.empty();
        private Optional<String> serviceAccount = Optional.empty();
        private Optional<String> priorityClass = Optional.empty();
        private Map<String, String> labels = Map.of();
        private Map<String, String> annotations = Map.of();
        private Optional<String> queue = Optional.empty();
        private Optional<String> scheduler = Optional.empty();
        private Optional<String> restartPolicy = Optional.empty();
        private OptionalInt backoffLimit = OptionalInt.empty();
        private OptionalInt completions = OptionalInt.empty();
        private OptionalInt parallelism = OptionalInt.empty();
        private Optional<Duration> ttl = Optional.empty();
        private Optional<Duration> grace = Optional.empty();
        private Optional<Duration> startDeadline = Optional.empty();
        private Optional<Duration> pullDeadline = Optional.empty();

        private Builder() {}

        /** See {@link KubernetesOptions#namespace}. */
        public Builder namespace(String value) {
            namespace = Optional.of(value);
            return this;
        }

        /** See {@link KubernetesOptions#imagePullSecret}. */
        public Builder imagePullSecret(String value) {
            imagePullSecret = Optional.of(value);
            return this;
        }

        /** See {@link KubernetesOptions#createPullSecret}. */
        public Builder createPullSecret(boolean value) {
            createPullSecret = Optional.of(value);
            return this;
        }

        /** See {@link KubernetesOptions#nodeSelector}. */
        public Builder nodeSelector(Map<String, String> value) {
            nodeSelector = value;
            return this;
        }

        /** See {@link KubernetesOptions#tolerations}. */
        public Builder tolerations(List<String> value) {
            tolerations = value;
            return this;
        }

        /** See {@link KubernetesOptions#volumes}. */
        public Builder volumes(List<String> value) {
            volumes = value;
            return this;
        }

        /** See {@link KubernetesOptions#memory}. */
        public Builder memory(String value) {
            memory = Optional.of(value);
            return this;
        }

        /** See {@link KubernetesOptions#ephemeralStorage}. */
        public Builder ephemeralStorage(String value) {
            ephemeralStorage = Optional.of(value);
            return this;
        }

        /** See {@link KubernetesOptions#shm}. */
        public Builder shm(String value) {
            shm = Optional.of(value);
            return this;
        }

        /** See {@link KubernetesOptions#gpuResource}. */
        public Builder gpuResource(String value) {
            gpuResource = Optional.of(value);
            return this;
        }

        /** See {@link KubernetesOptions#gpuCheck}. */
        public Builder gpuCheck(boolean value) {
            gpuCheck = Optional.of(value);
            return this;
        }

        /** See {@link KubernetesOptions#shell}. */
        public Builder shell(Shell value) {
            shell = Optional.of(value);
            return this;
        }

        /** See {@link KubernetesOptions#serviceAccount}. */
        public Builder serviceAccount(String value) {
            serviceAccount = Optional.of(value);
            return this;
        }

        /** See {@link KubernetesOptions#priorityClass}. */
        public Builder priorityClass(String value) {
            priorityClass = Optional.of(value);
            return this;
        }

        /** See {@link KubernetesOptions#labels}. */
        public Builder labels(Map<String, String> value) {
            labels = value;
            return this;
        }

        /** See {@link KubernetesOptions#annotations}. */
        public Builder annotations(Map<String, String> value) {
            annotations = value;
            return this;
        }

        /** See {@link KubernetesOptions#queue}. */
        public Builder queue(String value) {
            queue = Optional.of(value);
            return this;
        }

        /** See {@link KubernetesOptions#scheduler}. */
        public Builder scheduler(String value) {
            scheduler = Optional.of(value);
            return this;
        }

        /** See {@link KubernetesOptions#restartPolicy}. */
        public Builder restartPolicy(String value) {
            restartPolicy = Optional.of(value);
            return this;
        }

        /** See {@link KubernetesOptions#backoffLimit}. */
        public Builder backoffLimit(int value) {
            backoffLimit = OptionalInt.of(value);
            return this;
        }

        /** See {@link KubernetesOptions#completions}. */
        public Builder completions(int value) {
            completions = OptionalInt.of(value);
            return this;
        }

        /** See {@link KubernetesOptions#parallelism}. */
        public Builder parallelism(int value) {
            parallelism = OptionalInt.of(value);
            return this;
        }

        /** See {@link KubernetesOptions#ttl}. */
        public Builder ttl(Duration value) {
            ttl = Optional.of(value);
            return this;
        }

        /** See {@link KubernetesOptions#grace}. */
        public Builder grace(Duration value) {
            grace = Optional.of(value);
            return this;
        }

        /** See {@link KubernetesOptions#startDeadline}. */
        public Builder startDeadline(Duration value) {
            startDeadline = Optional.of(value);
            return this;
        }

        /** See {@link KubernetesOptions#pullDeadline}. */
        public Builder pullDeadline(Duration value) {
            pullDeadline = Optional.of(value);
            return this;
        }

        /** Checks everything. */
        public KubernetesOptions build() {
            return new KubernetesOptions(
                    namespace,
                    imagePullSecret,
                    createPullSecret,
                    nodeSelector,
                    tolerations,
                    volumes,
                    memory,
                    ephemeralStorage,
                    shm,
                    gpuResource,
                    gpuCheck,
                    shell,
                    serviceAccount,
                    priorityClass,
                    labels,
                    annotations,
                    queue,
                    scheduler,
                    restartPolicy,
                    backoffLimit,
                    completions,
                    parallelism,
                    ttl,
                    grace,
                    startDeadline,
                    pullDeadline);
        }
    }
}
