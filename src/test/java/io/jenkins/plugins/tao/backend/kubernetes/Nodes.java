package io.jenkins.plugins.tao.backend.kubernetes;

import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.jenkins.plugins.tao.backend.kubernetes.checks.CapacityReply;
import java.util.List;

/** Clusters of one node. */
public final class Nodes {
    private Nodes() {}

    private static NodeBuilder node(String name) {
        return new NodeBuilder()
                .withNewMetadata()
                .withName(name)
                .endMetadata()
                .withNewSpec()
                .endSpec()
                .withNewStatus()
                .addNewCondition()
                .withType("Ready")
                .withStatus("True")
                .endCondition()
                .endStatus();
    }

    public static CapacityReply plain(String name) {
        return new CapacityReply(List.of(node(name).build()));
    }

    private static NodeBuilder with(String name, int gpus) {
        return node(name)
                .editStatus()
                .addToAllocatable("nvidia.com/gpu", new Quantity(String.valueOf(gpus)))
                .endStatus();
    }

    public static CapacityReply gpus(String name, int gpus) {
        return new CapacityReply(List.of(with(name, gpus).build()));
    }

    public static CapacityReply tainted(String name, int gpus) {
        return new CapacityReply(List.of(with(name, gpus)
                .editSpec()
                .addNewTaint("NoSchedule", "nvidia.com/gpu", null, "present")
                .endSpec()
                .build()));
    }

    public static CapacityReply cordoned(String name, int gpus) {
        return new CapacityReply(List.of(
                with(name, gpus).editSpec().withUnschedulable(true).endSpec().build()));
    }
}
