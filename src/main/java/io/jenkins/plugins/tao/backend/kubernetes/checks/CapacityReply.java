package io.jenkins.plugins.tao.backend.kubernetes.checks;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.Taint;
import io.fabric8.kubernetes.api.model.Toleration;
import io.jenkins.plugins.tao.backend.kubernetes.options.Tolerated;
import io.jenkins.plugins.tao.backend.kubernetes.request.KubernetesPlan;
import io.jenkins.plugins.tao.backend.kubernetes.view.PodView;
import java.math.BigDecimal;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What the nodes offer of GPUs, to whom. Pure. */
public record CapacityReply(List<Node> nodes) {
    private static final String BUSY = "the GPUs that would do are busy; it starts when they are free";
    /** Labels that providers and Karpenter give the nodes of a pool. */
    private static final Set<String> POOLS = Set.of(
            "cloud.google.com/gke-nodepool",
            "eks.amazonaws.com/nodegroup",
            "alpha.eksctl.io/nodegroup-name",
            "kubernetes.azure.com/agentpool",
            "karpenter.sh/nodepool",
            "karpenter.sh/provisioner-name");

    private static final Set<String> BLOCKING = Set.of("NoSchedule", "NoExecute");

    /** What a pod needs of a node. */
    public record PodRequest(String resource, int gpus, Map<String, String> labels, List<Toleration> tolerations) {
        static PodRequest of(KubernetesPlan plan) {
            List<Toleration> tolerations =
                    plan.tolerations().stream().map(Tolerated::toleration).toList();
            return new PodRequest(plan.gpuResource(), plan.gpus(), plan.nodeSelector(), tolerations);
        }

        public static Optional<PodRequest> of(Pod pod) {
            Container main = pod.getSpec().getContainers().get(0);
            Map<String, Quantity> limits =
                    main.getResources() == null ? null : main.getResources().getLimits();
            List<Toleration> tolerations =
                    Objects.requireNonNullElse(pod.getSpec().getTolerations(), List.of());
            return Objects.requireNonNullElse(limits, Map.<String, Quantity>of()).entrySet().stream()
                    .filter(limit -> limit.getKey().startsWith("nvidia.com/"))
                    .findFirst()
                    .map(limit -> new PodRequest(
                            limit.getKey(),
                            number(limit.getValue()),
                            Objects.requireNonNullElse(pod.getSpec().getNodeSelector(), Map.of()),
                            tolerations));
        }
    }

    /** Whether a node belongs to a pool of a provider or of Karpenter: such pools grow, also from nothing. */
    boolean hasPools() {
        return nodes.stream()
                .flatMap(node -> Stream.ofNullable(node.getMetadata().getLabels()))
                .anyMatch(labels -> labels.keySet().stream().anyMatch(POOLS::contains));
    }

    /** The GPUs that all nodes together give to pods. */
    int allocatable(String resource) {
        return nodes.stream().mapToInt(node -> gpus(node, resource)).sum();
    }

    /** Nodes that could ever take one pod of {@code request}, busy or not. */
    public List<Node> fitting(PodRequest request) {
        return nodes.stream()
                .filter(node -> gpus(node, request.resource()) >= request.gpus())
                .filter(node -> has(node, request.labels()))
                .filter(CapacityReply::isUsable)
                .filter(node -> untolerated(node, request.tolerations()).isEmpty())
                .toList();
    }

    /** How many pods of {@code request} find room, next to each other, were the nodes idle but for {@code used} GPUs. */
    int places(PodRequest request, Map<String, Integer> used) {
        return fitting(request).stream()
                .mapToInt(node -> Math.max(
                                0,
                                gpus(node, request.resource())
                                        - used.getOrDefault(node.getMetadata().getName(), 0))
                        / Math.max(1, request.gpus()))
                .sum();
    }

    /** GPUs that {@code pods} hold, by node: of the containers together, or of the largest init container. */
    public static Map<String, Integer> used(List<Pod> pods, String resource) {
        Map<String, Integer> used = new HashMap<>();
        for (Pod pod : pods) {
            PodView view = new PodView(pod);
            if (!view.isOver()) {
                int containers = pod.getSpec().getContainers().stream()
                        .mapToInt(container -> held(container, resource))
                        .sum();
                int inits = Objects.requireNonNullElse(pod.getSpec().getInitContainers(), List.<Container>of()).stream()
                        .mapToInt(container -> held(container, resource))
                        .max()
                        .orElse(0);
                view.node().ifPresent(node -> used.merge(node, Math.max(containers, inits), Integer::sum));
            }
        }
        return used;
    }

    /** Which of the usual causes keeps {@code pod} from a node; empty when the nodes do not tell. */
    public String explain(PodView pod) {
        Optional<PodRequest> request = PodRequest.of(pod.pod());
        if (request.isEmpty()) {
            return "";
        }
        String resource = request.get().resource();
        List<Node> withGpus =
                nodes.stream().filter(node -> gpus(node, resource) > 0).toList();
        if (withGpus.isEmpty()) {
            return "no node advertises " + resource
                    + ": the device plugin is not running, 'kubectl get daemonsets -A' shows"
                    + " whether the GPU Operator is installed";
        }
        List<Node> labelled = withGpus.stream()
                .filter(node -> has(node, request.get().labels()))
                .toList();
        if (labelled.isEmpty()) {
            return "no node with GPUs has the labels of nodeSelector "
                    + request.get().labels();
        }
        List<Node> large = labelled.stream()
                .filter(node -> gpus(node, resource) >= request.get().gpus())
                .toList();
        if (large.isEmpty()) {
            int most = labelled.stream()
                    .mapToInt(node -> gpus(node, resource))
                    .max()
                    .orElse(0);
            return "no node has " + request.get().gpus() + " " + resource + ", the largest has " + most;
        }
        return amongLarge(large, request.get());
    }

    /** Whether no node, busy or not, cordoned or not, has the GPUs and labels that {@code pod} asks for; false without nodes. */
    public boolean hasNoneFor(Pod pod) {
        PodRequest request = PodRequest.of(pod)
                .orElse(new PodRequest(
                        "", 0, Objects.requireNonNullElse(pod.getSpec().getNodeSelector(), Map.of()), List.of()));
        return !nodes.isEmpty()
                && nodes.stream()
                        .noneMatch(node ->
                                has(node, request.labels()) && largest(node, request.resource()) >= request.gpus());
    }

    /** What a node has of a resource, whether pods may use it now or not. */
    private static int largest(Node node, String resource) {
        Map<String, Quantity> there = node.getStatus().getCapacity();
        return Math.max(gpus(node, resource), there == null ? 0 : number(there.get(resource)));
    }

    /** Taints, readiness or other jobs: what keeps a pod from nodes that have enough GPUs. */
    private static String amongLarge(List<Node> large, PodRequest request) {
        List<Node> borne = large.stream()
                .filter(node -> untolerated(node, request.tolerations()).isEmpty())
                .toList();
        if (borne.isEmpty()) {
            Taint taint = untolerated(large.get(0), request.tolerations()).get(0);
            String value = taint.getValue() == null || taint.getValue().isEmpty() ? "" : "=" + taint.getValue();
            return "the nodes with GPUs have the taint " + taint.getKey() + value + ":" + taint.getEffect()
                    + "; give the job the toleration '" + taint.getKey() + value + ":" + taint.getEffect() + "'";
        }
        return borne.stream().anyMatch(CapacityReply::isUsable)
                ? BUSY
                : "the nodes that would do are cordoned or not ready: "
                        + borne.get(0).getMetadata().getName();
    }

    /** Whether an explanation is that GPUs are taken: true only where the scheduler misses GPUs and nothing else. */
    public static boolean isOfGpus(String explanation) {
        return explanation.equals(BUSY);
    }

    public static boolean isUsable(Node node) {
        boolean cordoned = Boolean.TRUE.equals(node.getSpec().getUnschedulable());
        boolean ready = node.getStatus().getConditions().stream()
                .filter(condition -> "Ready".equals(condition.getType()))
                .allMatch(condition -> "True".equals(condition.getStatus()));
        return !cordoned && ready;
    }

    private static boolean has(Node node, Map<String, String> labels) {
        Map<String, String> there =
                Objects.requireNonNullElse(node.getMetadata().getLabels(), Map.of());
        return there.entrySet().containsAll(labels.entrySet());
    }

    static List<Taint> untolerated(Node node, List<Toleration> tolerations) {
        return Objects.requireNonNullElse(node.getSpec().getTaints(), List.<Taint>of()).stream()
                .filter(taint -> BLOCKING.contains(taint.getEffect()))
                .filter(taint -> tolerations.stream().noneMatch(each -> bears(each, taint)))
                .toList();
    }

    private static boolean bears(Toleration toleration, Taint taint) {
        boolean exists = "Exists".equals(toleration.getOperator());
        return new Tolerated(
                        text(toleration.getKey()),
                        exists ? Optional.empty() : Optional.of(Objects.requireNonNullElse(toleration.getValue(), "")),
                        text(toleration.getEffect()))
                .bears(taint);
    }

    private static Optional<String> text(@Nullable String text) {
        return text == null || text.isEmpty() ? Optional.empty() : Optional.of(text);
    }

    public static int gpus(Node node, String resource) {
        Map<String, Quantity> there = node.getStatus().getAllocatable();
        return there == null ? 0 : number(there.get(resource));
    }

    private static int held(Container container, String resource) {
        if (container.getResources() == null) {
            return 0;
        }
        Map<String, Quantity> limits = container.getResources().getLimits();
        Map<String, Quantity> requests = container.getResources().getRequests();
        int limit = limits == null ? 0 : number(limits.get(resource));
        return Math.max(limit, requests == null ? 0 : number(requests.get(resource)));
    }

    private static int number(@Nullable Quantity quantity) {
        return quantity == null
                ? 0
                : quantity.getNumericalAmount()
                        .min(BigDecimal.valueOf(Integer.MAX_VALUE))
                        .intValue();
    }
}
