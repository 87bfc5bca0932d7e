package io.jenkins.plugins.tao.backend.kubernetes.status;

import io.fabric8.kubernetes.api.model.ContainerStateWaiting;
import io.jenkins.plugins.tao.backend.kubernetes.checks.CapacityReply;
import io.jenkins.plugins.tao.backend.kubernetes.request.CompanionRequest;
import io.jenkins.plugins.tao.backend.kubernetes.view.JobView;
import io.jenkins.plugins.tao.backend.kubernetes.view.PodView;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Why a job does not run yet, in words that say what to do. Pure. */
final class PendingWords {
    static final Set<String> PULL = Set.of(
            "ImagePullBackOff",
            "ErrImagePull",
            "InvalidImageName",
            "ErrImageNeverPull",
            "RegistryUnavailable",
            "ImageInspectError");
    private static final Set<String> CREATE =
            Set.of("CreateContainerConfigError", "CreateContainerError", "RunContainerError");

    private static final String CAUSES =
            ". Causes: all GPUs busy, no node advertises GPUs, a taint without a toleration,"
                    + " a nodeSelector that no node has, a volume that is not there";

    /** What containerd and CRI-O say of what lies, or should lie, on the node itself. */
    private static final Pattern NODE_STORE =
            Pattern.compile("snapshot|content digest|content sha256|failed to (extract|get reader|commit"
                    + "|unpack|mount|create lease|read image from store)|(blob|layer|diff|lease|ingest|parent)\\b[^,;]{0,100}\\b(not found|does not exist)"
                    + "|overlayfs|/var/lib/(containerd|containers)");

    private static final Pattern INSUFFICIENT = Pattern.compile("Insufficient ([A-Za-z0-9./_-]*[A-Za-z0-9])");

    private PendingWords() {}

    /**
     * A word and a sentence.
     *
     * @param word the cluster's own, such as {@code ImagePullBackOff}
     */
    record Reason(String word, String sentence) {}

    /** Why no pod of {@code view} exists. */
    static Reason withoutPods(JobView view) {
        return Refusal.of(view).orElseGet(() -> new Reason("Accepted", "the Job has no pod yet"));
    }

    /** Why {@code pod} does not run. */
    static Reason of(JobView view, PodView pod, Optional<CapacityReply> nodes) {
        Optional<ContainerStateWaiting> waiting = pod.waiting();
        String word = word(pod);
        if (PULL.contains(word)) {
            return new Reason(word, pull(pod, word, text(waiting)));
        }
        if (CREATE.contains(word)) {
            return new Reason(
                    word,
                    "the container cannot be made: " + text(waiting)
                            + (text(waiting).contains("runAsNonRoot")
                                    ? ". Give the target securityContext: runAsUser, a number other than 0."
                                    : "; a Secret, ConfigMap or mount it names is missing"));
        }
        if (pod.unschedulable().isPresent()) {
            return new Reason(
                    "Unschedulable", unschedulable(pod, pod.unschedulable().get(), nodes));
        }
        return volume(view, pod).orElseGet(() -> creating(view, pod, word));
    }

    /** The kubelet's word for why the container of {@code pod} waits, such as {@code ErrImagePull}; empty where it does not. */
    static String word(PodView pod) {
        return pod.waiting().map(ContainerStateWaiting::getReason).orElse("");
    }

    private static String text(Optional<ContainerStateWaiting> waiting) {
        return waiting.map(state -> Objects.requireNonNullElse(state.getMessage(), "no message"))
                .orElse("no message");
    }

    /** The registry, the secret and how to make one. */
    private static String pull(PodView pod, String word, String message) {
        var spec = pod.pod().getSpec();
        String image = spec.getContainers().get(0).getImage();
        String registry = CompanionRequest.registry(image);
        String namespace = pod.pod().getMetadata().getNamespace();
        if (word.equals("InvalidImageName")) {
            return "'" + image + "' is no name of an image: " + message;
        }
        String secret = spec.getImagePullSecrets() == null
                        || spec.getImagePullSecrets().isEmpty()
                ? "without a pull secret"
                : "with the pull secret '" + spec.getImagePullSecrets().get(0).getName() + "'";
        return "image " + image + " cannot be pulled from " + registry + " " + secret + ": " + message
                + "; " + phase(message) + ". To make one: kubectl create secret docker-registry ngc --namespace "
                + namespace
                + " --docker-server=" + registry
                + " --docker-username='$oauthtoken' --docker-password=\"$NGC_KEY\", then"
                + " imagePullSecret: ngc (or createPullSecret: true with the secret NGC_KEY)";
    }

    /** Whether a registry says, in the small letters of {@code text}, that it has no such image; a node's store says the same of its parts. */
    static boolean lacksImage(String text) {
        return (text.contains("not found") || text.contains("manifest unknown") || text.contains("name unknown"))
                && !text.contains("denied")
                && !text.contains("unauthorized")
                && !NODE_STORE.matcher(text).find();
    }

    private static String phase(String message) {
        String text = message.toLowerCase(Locale.ROOT);
        if (text.contains("toomanyrequests") || text.contains("429 too many requests")) {
            return "the registry lets no more pulls through now: give it a login, or take the image from a mirror";
        }
        if (text.contains("no match for platform")) {
            return "the image is not made for the processors of this node";
        }
        if (NODE_STORE.matcher(text).find()) {
            return "the node's own image store lacks a part of it, and the registry is not to blame: the kubelet tries again,"
                    + " and another node may pull it";
        }
        if (text.contains("unauthorized") || text.contains("denied") || text.contains("403")) {
            return "the registry does not accept the login";
        }
        if (lacksImage(text)) {
            return "the registry has no such image or tag";
        }
        return "check name and tag, and whether the nodes reach the registry";
    }

    private static String unschedulable(PodView pod, String message, Optional<CapacityReply> nodes) {
        if (message.contains("persistentvolumeclaim") || message.contains("PersistentVolumeClaim")) {
            return "its volume is not ready: " + message + "; 'kubectl get pvc --namespace "
                    + pod.pod().getMetadata().getNamespace() + "' shows which";
        }
        String why = nodes.map(known -> known.explain(pod)).orElse("");
        Set<String> lacking = INSUFFICIENT
                .matcher(message)
                .results()
                .map(found -> found.group(1))
                .collect(Collectors.toCollection(TreeSet::new));
        boolean gpusAlone = lacking.stream().allMatch(name -> name.startsWith("nvidia.com/")) && !lacking.isEmpty();
        if (!why.isEmpty() && (gpusAlone || !CapacityReply.isOfGpus(why))) {
            return why + " (" + message + ")";
        }
        return gpusAlone ? "no node has the GPUs free; " + message + CAUSES : schedulers(message, lacking) + message;
    }

    /** What the scheduler's message comes to; the message itself follows. */
    private static String schedulers(String message, Set<String> lacking) {
        List<String> reasons = new ArrayList<>();
        if (!lacking.isEmpty()) {
            reasons.add("no node has enough free of " + String.join(", ", lacking));
        }
        if (message.contains("affinity") || message.contains("selector")) {
            reasons.add("nodes do not match the job's nodeSelector or affinity");
        }
        if (message.contains("taint")) {
            reasons.add("nodes have a taint that the job does not tolerate");
        }
        if (message.contains("topology spread")) {
            reasons.add("the job's topology constraints leave no node");
        }
        return reasons.isEmpty() ? "no node takes the pod: " : String.join("; ", reasons) + ": ";
    }

    private static Optional<Reason> volume(JobView view, PodView pod) {
        for (String word : new String[] {"FailedAttachVolume", "FailedMount"}) {
            Optional<String> message = view.lastEvent("Pod", pod.name(), word);
            if (message.isPresent()) {
                String multi = message.get().contains("Multi-Attach")
                        ? "; only one node may hold this volume: 'kubectl get volumeattachments' names the other, use a"
                                + " claim with ReadWriteMany"
                        : "";
                return Optional.of(new Reason(word, "a volume is not attached: " + message.get() + multi));
            }
        }
        return Optional.empty();
    }

    private static Reason creating(JobView view, PodView pod, String word) {
        if (view.lastEvent("Pod", pod.name(), "Pulled").isPresent()) {
            return new Reason("Starting", "the image is there, the container starts");
        }
        Optional<String> pulling = view.lastEvent("Pod", pod.name(), "Pulling");
        if (pulling.isPresent()) {
            return new Reason(
                    "Pulling",
                    "the image is being pulled on " + pod.node().orElse("its node")
                            + "; one of tens of GB takes minutes");
        }
        return new Reason(
                word.isEmpty() ? "Pending" : word,
                view.lastEvent("Pod", pod.name(), "FailedCreatePodSandBox")
                        .map(why -> "its node cannot prepare it: " + why)
                        .or(() -> pod.node().map(node -> "the container is made on " + node))
                        .orElse("it waits for the scheduler"));
    }
}
