package io.jenkins.plugins.tao.backend.kubernetes.request;

import io.jenkins.plugins.tao.backend.BackendException.Rejected;
import io.jenkins.plugins.tao.backend.kubernetes.options.KubernetesNames;
import io.jenkins.plugins.tao.backend.kubernetes.options.KubernetesOptions;
import io.jenkins.plugins.tao.backend.kubernetes.options.KubernetesTarget;
import io.jenkins.plugins.tao.backend.kubernetes.options.KubernetesTarget.PodSecurity;
import io.jenkins.plugins.tao.backend.kubernetes.options.MemberIndices;
import io.jenkins.plugins.tao.backend.kubernetes.options.PodShape;
import io.jenkins.plugins.tao.backend.kubernetes.options.RunAs;
import io.jenkins.plugins.tao.backend.kubernetes.options.Tolerated;
import io.jenkins.plugins.tao.backend.kubernetes.options.VolumeMount;
import io.jenkins.plugins.tao.backend.kubernetes.view.VolcanoReply;
import io.jenkins.plugins.tao.bind.RecordBinder;
import io.jenkins.plugins.tao.job.JobKey;
import io.jenkins.plugins.tao.job.JobSpec;
import io.jenkins.plugins.tao.job.Secret;
import io.jenkins.plugins.tao.job.text.Fingerprint;
import io.jenkins.plugins.tao.payload.Payload;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/** One job as it will be sent: the target's and the job's requests joined, contradictions refused. Pure. */
public final class KubernetesPlan {
    private static final String NGC_KEY = "NGC_KEY";
    private static final Duration HOUR = Duration.ofHours(1);
    private static final Duration GRACE = Duration.ofSeconds(30);
    private static final Duration PULL = Duration.ofMinutes(15);

    private final KubernetesTarget target;
    private final JobSpec spec;
    private final JobKey key;
    private final KubernetesOptions options;
    private final String namespace;
    private final String image;

    private KubernetesPlan(KubernetesTarget target, JobSpec spec, JobKey key, Place place) {
        this.target = target;
        this.spec = spec;
        this.key = key;
        options = place.options;
        namespace = place.namespace;
        image = place.image;
    }

    private record Place(KubernetesOptions options, String namespace, String image) {}

    /**
     * The plan of one job.
     *
     * @param home the namespace of the target's account, for jobs and targets that name none
     */
    public static KubernetesPlan of(KubernetesTarget target, JobSpec spec, JobKey key, Optional<String> home)
            throws Rejected {
        KubernetesOptions options = options(target, spec, key);
        String image = spec.image()
                .orElseThrow(() -> rejected(key, "has no image", "Name a container image; a pod needs one."));
        String namespace =
                options.namespace().or(target::namespace).or(() -> home).orElse("default");
        KubernetesPlan plan = new KubernetesPlan(target, spec, key, new Place(options, namespace, image));
        plan.check();
        return plan;
    }

    private static KubernetesOptions options(KubernetesTarget target, JobSpec spec, JobKey key) throws Rejected {
        if (spec.options().isPresent() && !(spec.options().get() instanceof KubernetesOptions)) {
            throw rejected(
                    key,
                    "has options of another backend, and target '" + target.name() + "' is a Kubernetes cluster",
                    "Use options of kubernetes, or another target.");
        }
        return (KubernetesOptions) spec.options().orElseGet(() -> RecordBinder.empty(KubernetesOptions.class));
    }

    private void check() throws Rejected {
        boolean several = nodes() > 1;
        if (several && options.completions().isPresent()) {
            throw rejected(
                    key, "has several nodes and completions", "Use nodes for one training, completions to fan out.");
        }
        if (several && (restarts() > 0 || !restartPolicy().equals("Never"))) {
            throw rejected(
                    key,
                    "has several nodes and restarts its pods",
                    "A pod that comes back alone finds no rendezvous: leave backoffLimit at 0 and restartPolicy at"
                            + " Never.");
        }
        checkMembers();
        if (options.createPullSecret().orElse(false) && !spec.secrets().containsKey(NGC_KEY)) {
            throw rejected(
                    key,
                    "wants a pull secret made, and has no secret " + NGC_KEY,
                    "Give the registry's key as the job's secret " + NGC_KEY + ".");
        }
        if (options.scheduler().equals(Optional.of(VolcanoReply.SCHEDULER))
                && options.queue().isEmpty()
                && target.queue().isPresent()) {
            throw rejected(
                    key,
                    "wants Volcano, and the target has a queue of Kueue",
                    "Name a queue of Volcano in the job's options, or take one of both away.");
        }
    }

    private void checkMembers() throws Rejected {
        if (hasMembers()
                && (options.backoffLimit().isPresent() || !restartPolicy().equals("Never"))) {
            throw rejected(
                    key,
                    "has members and replaces failed pods",
                    "Leave out backoffLimit and restartPolicy: members that a machine failed are sent again by retries.");
        }
        if (hasMembers() && volcano()) {
            throw rejected(
                    key,
                    "has members and the scheduler volcano, which starts all pods together",
                    "Leave out one of both.");
        }
    }

    private static Rejected rejected(JobKey key, String what, String remedy) {
        return new Rejected("Job '" + key + "' " + what + ".", remedy);
    }

    /** A fingerprint of what the job runs: the command, the image, the GPUs. Secrets and names of attempts are not in it. */
    String work() {
        return Fingerprint.of(
                String.join(
                        "\n",
                        spec.command(),
                        image,
                        nodes() + "x" + gpus(),
                        spec.env().toString()
                                + spec.code().map(id -> "\n" + id).orElse("")
                                + spec.gitCode()
                                        .map(code -> "\n" + code.url() + " " + code.commit())
                                        .orElse("")),
                16);
    }

    JobKey key() {
        return key;
    }

    public JobSpec spec() {
        return spec;
    }

    KubernetesOptions options() {
        return options;
    }

    public String namespace() {
        return namespace;
    }

    public String image() {
        return image;
    }

    String name() {
        return KubernetesNames.stem(key);
    }

    public int nodes() {
        return spec.resources().nodes();
    }

    public int gpus() {
        return spec.resources().gpusPerNode().orElse(1);
    }

    /** Pods that hold GPUs at the same time. */
    public int podsAtOnce() {
        int completions = options.completions().orElse(1);
        return nodes() > 1
                ? nodes()
                : Math.min(completions, options.parallelism().orElse(completions));
    }

    boolean indexed() {
        return nodes() > 1 || options.completions().isPresent();
    }

    /** Whether each pod is a member with an end of its own. */
    public boolean hasMembers() {
        return options.members().orElse(false);
    }

    /** Which there are. */
    public MemberIndices members() {
        return MemberIndices.first(options.completions().orElse(1));
    }

    public String gpuResource() {
        return options.gpuResource().orElse(KubernetesOptions.GPU);
    }

    String restartPolicy() {
        return options.restartPolicy().orElse("Never");
    }

    int restarts() {
        return options.backoffLimit().orElse(0);
    }

    String shm() {
        return options.shm().orElse(KubernetesOptions.SHM);
    }

    Duration ttl() {
        return options.ttl().orElse(HOUR);
    }

    Duration grace() {
        return options.grace().orElse(GRACE);
    }

    Duration pullDeadline() {
        return options.pullDeadline().orElse(PULL);
    }

    Optional<Duration> startDeadline() {
        return options.startDeadline().or(() -> nodes() > 1 ? Optional.of(HOUR) : Optional.empty());
    }

    /**
     * When the kubelet ends a pod whoever watches, counted from when it took the pod. A member is ended by nothing else; for
     * others what may pass before all commands run is added, since whoever watches counts from there.
     */
    Optional<Duration> podLimit() {
        Duration before = hasMembers()
                ? Duration.ZERO
                : pullDeadline().plus(nodes() > 1 ? startDeadline().orElse(HOUR) : Duration.ZERO);
        return spec.resources().wallTime().map(before::plus);
    }

    public Map<String, String> nodeSelector() {
        return options.nodeSelector().isEmpty() ? target.nodeSelector() : options.nodeSelector();
    }

    public List<Tolerated> tolerations() {
        List<String> given = options.tolerations().isEmpty() ? target.tolerations() : options.tolerations();
        return given.stream().map(Tolerated::parse).toList();
    }

    public List<VolumeMount> volumes() {
        return Stream.concat(target.volumes().stream(), options.volumes().stream())
                .map(VolumeMount::parse)
                .distinct()
                .toList();
    }

    /** Whether a provider looks after the nodes, so that their number follows what is asked for. */
    public boolean managedNodes() {
        return target.managedNodes().orElse(false);
    }

    /** Whether the pods keep to the standard {@code restricted}. */
    public boolean restricted() {
        return target.podSecurity().equals(Optional.of(PodSecurity.RESTRICTED));
    }

    public RunAs runAs() {
        return target.securityContext().orElse(RunAs.AS_IS);
    }

    /** Whether the command's user is another one than the image's own, which is root in most images. */
    public boolean rootless() {
        return restricted() || (runAs().runAsUser().isPresent() && !runAs().isRoot());
    }

    /** Directories of the container's own that its user could not make: each is an empty volume of the pod. */
    List<String> scratch() {
        if (!rootless()) {
            return List.of();
        }
        return Stream.of(Payload.DEFAULT_ROOT, resultsDirectory())
                .filter(path -> volumes().stream().noneMatch(volume -> volume.holds(path)))
                .filter(path -> !path.startsWith(Payload.DEFAULT_ROOT + "/"))
                .distinct()
                .toList();
    }

    public PodShape shape() {
        return options.pod().orElse(PodShape.PLAIN);
    }

    Optional<String> serviceAccount() {
        return options.serviceAccount().or(target::serviceAccount);
    }

    /** Whether its files are brought home off their volume. */
    public boolean fetchesFromVolume() {
        return options.fetchFromVolume().or(target::fetchFromVolume).orElse(false);
    }

    public boolean volcano() {
        return options.scheduler().equals(Optional.of(VolcanoReply.SCHEDULER));
    }

    /** The queue of Kueue; Volcano's is {@link KubernetesOptions#queue} too. */
    public Optional<String> kueue() {
        return volcano() ? Optional.empty() : options.queue().or(target::queue);
    }

    /** The name of a pull secret that exists already. */
    public Optional<String> pullSecret() {
        return options.imagePullSecret().or(target::imagePullSecret);
    }

    /** The key of a pull secret that is to be made. */
    public Optional<Secret> pullKey() {
        return options.createPullSecret().orElse(false)
                ? Optional.of(Objects.requireNonNull(spec.secrets().get(NGC_KEY)))
                : Optional.empty();
    }

    boolean gpuCheck() {
        return gpus() > 0 && options.gpuCheck().orElse(true);
    }

    public Payload payload() {
        Payload payload = Payload.of(spec, key)
                .mounts(volumes().stream().map(VolumeMount::path).toList())
                .prologue(Prologue.render(this));
        if (onVolume(target.resultsDirectory())) {
            payload = payload.resultsRoot(target.resultsDirectory());
        }
        payload = hasMembers() ? payload.members() : payload;
        return target.s3().isPresent() ? payload.storage(target.s3().get()) : payload;
    }

    public String resultsDirectory() {
        return payload().resultsDirectory();
    }

    /** Whether {@code path} lies on a volume that outlives the pod. */
    public boolean onVolume(String path) {
        return volumes().stream().filter(VolumeMount::outlives).anyMatch(volume -> volume.holds(path));
    }

    /** Whether Secret, Service or PodGroup must be there before the pods are. */
    public boolean hasCompany() {
        return nodes() > 1
                || volcano()
                || pullKey().isPresent()
                || !payload().secretNames().isEmpty();
    }
}
