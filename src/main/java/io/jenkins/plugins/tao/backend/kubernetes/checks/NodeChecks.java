package io.jenkins.plugins.tao.backend.kubernetes.checks;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.jenkins.plugins.tao.backend.Report.Check;
import io.jenkins.plugins.tao.backend.Report.Verdict;
import io.jenkins.plugins.tao.backend.kubernetes.options.KubernetesOptions;
import io.jenkins.plugins.tao.backend.kubernetes.options.Tolerated;
import io.jenkins.plugins.tao.backend.kubernetes.request.KubernetesPlan;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** Checks of the cluster's nodes. Pure. */
public final class NodeChecks {
    private static final int DRIVER = 580;
    private static final String OPERATOR =
            "Install the NVIDIA GPU Operator (https://docs.nvidia.com/datacenter/cloud-native/gpu-operator/latest/getting-started.html),"
                    + " then 'kubectl get nodes -o custom-columns=NAME:.metadata.name,GPUS:.status.allocatable.nvidia\\.com/gpu'"
                    + " shows the GPUs.";

    private NodeChecks() {}

    /** Driver and runtime of nodes that nobody else looks after, by the labels that GPU feature discovery puts there. */
    public static List<Check> runtime(CapacityReply cluster, boolean managed) {
        String name = "GPU runtime of the nodes";
        if (managed) {
            return List.of(Check.skipped(name, "the provider looks after driver and runtime (managedNodes)"));
        }
        List<Check> checks = new ArrayList<>();
        List<Node> nodes = cluster.nodes().stream()
                .filter(node -> CapacityReply.gpus(node, KubernetesOptions.GPU) > 0)
                .toList();
        for (Node node : nodes) {
            Optional<Integer> driver = driver(node);
            String title = name + ": " + node.getMetadata().getName();
            if (driver.isEmpty()) {
                checks.add(Check.warning(
                        title,
                        "its labels do not show the driver version",
                        "On the node, 'nvidia-smi' must show driver branch " + DRIVER
                                + " or newer and 'nvidia-ctk --version' 1.19 or newer. For nodes of a provider set"
                                + " managedNodes: true. See docs/backends/kubernetes/rights.md."));
            } else if (driver.get() < DRIVER) {
                checks.add(Check.failed(
                        title,
                        "its driver branch is " + driver.get() + ", TAO's images need " + DRIVER,
                        "Update the driver of the node, or select others with nodeSelector."));
            } else {
                checks.add(Check.passed(title, "driver branch " + driver.get()));
            }
        }
        return checks.isEmpty() ? List.of(Check.skipped(name, "no node shows a GPU")) : checks;
    }

    private static Optional<Integer> driver(Node node) {
        Map<String, String> labels =
                Objects.requireNonNullElse(node.getMetadata().getLabels(), Map.of());
        return Optional.ofNullable(labels.get("nvidia.com/cuda.driver-version.major"))
                .or(() -> Optional.ofNullable(labels.get("nvidia.com/cuda.driver.major")))
                .filter(text -> text.matches("\\d{1,6}"))
                .map(Integer::valueOf);
    }

    /** Whether there are GPUs at all; worth telling even when the job wants none. */
    public static List<Check> presence(CapacityReply cluster, KubernetesPlan plan) {
        int all = cluster.allocatable(plan.gpuResource());
        return List.of(
                all > 0
                        ? Check.passed("GPUs of the cluster", all + " " + plan.gpuResource() + " allocatable")
                        : Check.warning(
                                "GPUs of the cluster",
                                "No " + plan.gpuResource() + " resources allocatable on the cluster",
                                OPERATOR));
    }

    /** Impossible, busy or possible. What is impossible now is no more than a warning where pools of nodes grow. */
    public static Check room(CapacityReply cluster, KubernetesPlan plan, Optional<List<Pod>> pods) {
        Check now = now(cluster, plan, pods);
        boolean grows = plan.managedNodes() || cluster.hasPools();
        return grows && now.verdict() == Verdict.FAILED
                ? Check.warning(
                        now.name(),
                        now.detail() + "; its pools of nodes may grow",
                        "The job is submitted and waits for them; startWithin bounds the wait.")
                : now;
    }

    private static Check now(CapacityReply cluster, KubernetesPlan plan, Optional<List<Pod>> pods) {
        String name = "room for the job";
        int wanted = plan.gpus() * plan.podsAtOnce();
        String request = plan.podsAtOnce() + " x " + plan.gpus() + " = " + wanted + " " + plan.gpuResource();
        int all = cluster.allocatable(plan.gpuResource());
        if (all == 0) {
            return Check.failed(
                    name,
                    "No " + plan.gpuResource() + " resources allocatable on the cluster, asked for " + request,
                    OPERATOR);
        }
        if (wanted > all) {
            return Check.failed(
                    name,
                    "asked for " + request + ", and the cluster has " + all + " in all",
                    "Ask for fewer GPUs or nodes, or another cluster.");
        }
        CapacityReply.PodRequest each = CapacityReply.PodRequest.of(plan);
        if (cluster.places(each, Map.of()) < plan.podsAtOnce()) {
            return unfitting(cluster, plan, name, request);
        }
        if (pods.isEmpty()) {
            return Check.passed(name, request + " fit; whether they are free is not known (may not list all pods)");
        }
        int free = cluster.places(each, CapacityReply.used(pods.get(), plan.gpuResource()));
        return free < plan.podsAtOnce()
                ? Check.warning(
                        name,
                        "asked for " + request + "; room for " + free + " of " + plan.podsAtOnce()
                                + " pods is free now",
                        "The job is submitted and waits its turn.")
                : Check.passed(name, request + " are free now");
    }

    /** Admission plugins may add a toleration of the GPU taint, so that taint alone is no reason to refuse. */
    private static Check unfitting(CapacityReply cluster, KubernetesPlan plan, String name, String request) {
        CapacityReply.PodRequest each = CapacityReply.PodRequest.of(plan);
        var bearing = new ArrayList<>(each.tolerations());
        bearing.add(new Tolerated(Optional.of(plan.gpuResource()), Optional.empty(), Optional.empty()).toleration());
        CapacityReply.PodRequest tolerant =
                new CapacityReply.PodRequest(each.resource(), each.gpus(), each.labels(), List.copyOf(bearing));
        boolean taintOnly = cluster.places(tolerant, Map.of()) >= plan.podsAtOnce();
        String why = why(cluster, each);
        return taintOnly
                ? Check.warning(
                        name,
                        "asked for " + request + "; the nodes have the taint " + plan.gpuResource(),
                        "Add the toleration '" + plan.gpuResource() + "', unless the cluster adds it automatically.")
                : Check.failed(
                        name,
                        "asked for " + request + ", and nodes for " + cluster.places(each, Map.of()) + " of "
                                + plan.podsAtOnce() + " pods fit: " + why,
                        "Change GPUs per node, nodeSelector or tolerations: 'kubectl describe nodes' shows what there is.");
    }

    private static String why(CapacityReply cluster, CapacityReply.PodRequest each) {
        int most = cluster.nodes().stream()
                .mapToInt(node -> CapacityReply.gpus(node, each.resource()))
                .max()
                .orElse(0);
        if (most < each.gpus()) {
            return "the largest node has " + most;
        }
        return "nodes must be ready, have the labels " + each.labels() + " and no other taints than those tolerated";
    }
}
