package io.jenkins.plugins.tao.backend.kubernetes.status;

import io.fabric8.kubernetes.api.model.ContainerStateWaiting;
import io.jenkins.plugins.tao.backend.kubernetes.checks.CapacityReply;
import io.jenkins.plugins.tao.backend.kubernetes.request.CompanionRequest;
import io.jenkins.plugins.tao.backend.kubernetes.view.JobView;
import io.jenkins.plugins.tao.backend.kubernetes.view.PodView;
import io.jenkins.plugins.tao.job.text.WordRow;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Why a job does not run yet, in words that say what to do. Pure. */
final class PendingWords {
    static final Set<String> PULL = Set.of(
            "ImagePullBackOff",
            "ErrImagePull",
            "InvalidImageName",
            "ErrImageNeverPull",
            "RegistryUnavailable",
            "ImageInspectError",
            "SignatureValidationFailed");
    private static final Set<String> CREATE =
            Set.of("CreateContainerConfigError", "CreateContainerError", "RunContainerError");

    private static final String CAUSES =
            ". Causes: all GPUs busy, no node advertises GPUs, a taint without a toleration,"
                    + " a nodeSelector that no node has, a volume that is not there";

    private static final String UNMOUNTED = "FailedMount";
    private static final String SANDBOX = "FailedCreatePodSandBox";

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
        String word = pod.waitsFor();
        if (PULL.contains(word)) {
            return new Reason(word, pull(view, pod, word, whyNotPulled(view, pod)));
        }
        if (CREATE.contains(word)) {
            return new Reason(
                    word, "the container cannot be made: " + explained("missing|part|machine", text(waiting)));
        }
        if (word.equals("CrashLoopBackOff")) {
            return new Reason(word, "an init container of its pod fails again and again: " + text(waiting));
        }
        if (!pod.gates().isEmpty()) {
            return new Reason(
                    PodView.GATED,
                    "its pod waits for the controller that set its scheduling gates: "
                            + String.join(", ", pod.gates()));
        }
        if (pod.unschedulable().isPresent()) {
            return new Reason(
                    "Unschedulable", unschedulable(pod, unscheduled(view, pod).orElseThrow(), nodes));
        }
        return beforePull(view, pod).orElseGet(() -> creating(view, pod, word));
    }

    private static String text(Optional<ContainerStateWaiting> waiting) {
        return waiting.map(state -> Objects.requireNonNullElse(state.getMessage(), "no message"))
                .orElse("no message");
    }

    /** The registry, the secret and how to make one. */
    private static String pull(JobView view, PodView pod, String word, String message) {
        var spec = pod.pod().getSpec();
        String image = pod.awaitedImage();
        String registry = CompanionRequest.registry(image);
        String namespace = pod.pod().getMetadata().getNamespace();
        if (word.equals("InvalidImageName")) {
            return "'" + image + "' is no name of an image: " + message;
        }
        String with =
                lacksPullSecret(view, pod) ? "without the pull secret, which is not there:" : "with the pull secret";
        String secret =
                spec.getImagePullSecrets() == null || spec.getImagePullSecrets().isEmpty()
                        ? "without a pull secret"
                        : with + " '" + spec.getImagePullSecrets().get(0).getName() + "'";
        return "image " + image + " cannot be pulled from " + registry + " " + secret + ": " + message
                + "; "
                + pulled(message)
                        .map(WordRow::words)
                        .orElse("check name and tag, and whether the nodes reach the registry")
                + ". To make one: kubectl create secret docker-registry ngc --namespace "
                + namespace
                + " --docker-server=" + registry
                + " --docker-username='$oauthtoken' --docker-password=\"$NGC_KEY\", then"
                + " imagePullSecret: ngc (or createPullSecret: true with the secret NGC_KEY)";
    }

    /** A kubelet that waits before its next try says no more than that: why the last one failed is then in an event. */
    static String whyNotPulled(JobView view, PodView pod) {
        String said = text(pod.waiting());
        return pulled(said).isPresent()
                ? said
                : view.lastEvent(
                                "Pod",
                                pod.name(),
                                "Failed",
                                text -> pulled(text).isPresent())
                        .orElse(said);
    }

    /** What is known of an image that is not pulled. */
    static Optional<WordRow> pulled(String message) {
        return ClusterWords.in("pull|login|absent", message.toLowerCase(Locale.ROOT))
                .findFirst();
    }

    /** Whether the nodes find no login where the pod names one: they try without it. */
    static boolean lacksPullSecret(JobView view, PodView pod) {
        return view.lastEvent("Pod", pod.name(), "FailedToRetrieveImagePullSecret")
                .isPresent();
    }

    /** Whether the pod lacks what only a user can make: it holds its place, and its GPUs, meanwhile. */
    static boolean missing(JobView view, PodView pod) {
        Optional<String> said = Optional.of(text(pod.waiting()))
                .filter(any -> pod.waitsFor().equals("CreateContainerConfigError"))
                .or(() -> unscheduled(view, pod))
                .or(() -> beforePull(view, pod, UNMOUNTED))
                .or(() -> beforePull(view, pod, SANDBOX));
        return said.filter(PendingWords::isMissing).isPresent();
    }

    private static boolean isMissing(String message) {
        return ClusterWords.in("missing", message).findFirst().isPresent();
    }

    /** A message with what is known of it, which is a sentence or the rest of one. */
    private static String explained(String kinds, String message) {
        String words =
                ClusterWords.in(kinds, message).map(WordRow::words).findFirst().orElse("");
        return words.isEmpty() ? message : message + (Character.isUpperCase(words.charAt(0)) ? ". " : "; ") + words;
    }

    /** Why no node takes it, with what was said about the claims that it waits for. */
    private static Optional<String> unscheduled(JobView view, PodView pod) {
        return pod.unschedulable()
                .map(message -> pod.unboundClaims().stream()
                        .flatMap(claim -> Stream.of("ProvisioningFailed", "FailedBinding")
                                .flatMap(reason -> view.lastEvent("PersistentVolumeClaim", claim, reason).stream())
                                .map(said -> " " + claim + ": " + said))
                        .collect(Collectors.joining("", message, "")));
    }

    private static String unschedulable(PodView pod, String message, Optional<CapacityReply> nodes) {
        if (message.contains("persistentvolumeclaim") || message.contains("PersistentVolumeClaim")) {
            return "its volume is not ready: " + explained("missing", message) + "; 'kubectl get pvc --namespace "
                    + pod.pod().getMetadata().getNamespace() + "' shows which";
        }
        if (isMissing(message)) {
            return "no node takes the pod: " + explained("missing", message);
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
        ClusterWords.in("node", message).map(WordRow::words).forEach(reasons::add);
        return reasons.isEmpty() ? "no node takes the pod: " : String.join("; ", reasons) + ": ";
    }

    /** What comes before the pull: volumes, then the network. */
    private static Optional<Reason> beforePull(JobView view, PodView pod) {
        for (String word : List.of("FailedAttachVolume", UNMOUNTED, SANDBOX, "FailedPrepareDynamicResources")) {
            Optional<String> message = beforePull(view, pod, word);
            if (message.isPresent()) {
                boolean volume = word.equals(UNMOUNTED) || word.equals("FailedAttachVolume");
                boolean network = word.equals(SANDBOX) && !isMissing(message.get());
                String failed = network ? "gives it no network" : "cannot begin it";
                String what = volume ? "a volume is not attached: " : "its node " + failed + ": ";
                return Optional.of(
                        new Reason(word, what + explained(volume ? "missing|volume" : "missing", message.get())));
            }
        }
        return Optional.empty();
    }

    /** Every two minutes the kubelet adds which volumes it still waits for, and not why. */
    private static Optional<String> beforePull(JobView view, PodView pod, String word) {
        return view.lastEvent("Pod", pod.name(), word, text -> !text.startsWith("Unable to attach or mount"))
                .or(() -> view.lastEvent("Pod", pod.name(), word))
                .filter(any -> Stream.of("Pulling", "Pulled")
                        .allMatch(later ->
                                view.lastEvent("Pod", pod.name(), later).isEmpty()));
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
                pod.node().map(node -> "the container is made on " + node).orElse("it waits for the scheduler"));
    }
}
