package io.jenkins.plugins.tao.backend.kubernetes.view;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What Kueue says of a Job that it has not admitted yet. Pure. */
public final class KueueReply {
    public static final String GROUP = "kueue.x-k8s.io";

    /** Served by the Kueue of 2023 and after; newer ones serve others beside it, and some day not it. */
    public static final String OLDEST = "v1beta1";

    private KueueReply() {}

    /** The message of the first condition that is false, of the Workload that belongs to {@code job}. */
    public static Optional<String> admission(List<GenericKubernetesResource> workloads, Job job) {
        String uid = job.getMetadata().getUid();
        return workloads.stream()
                .filter(workload -> workload.getMetadata().getOwnerReferences() != null
                        && workload.getMetadata().getOwnerReferences().stream()
                                .anyMatch(owner -> owner.getUid().equals(uid)))
                .findFirst()
                .flatMap(KueueReply::why);
    }

    private static Optional<String> why(GenericKubernetesResource workload) {
        Object status = workload.getAdditionalProperties().get("status");
        Object conditions = status instanceof Map<?, ?> map ? map.get("conditions") : null;
        List<?> list = conditions instanceof List<?> items ? items : List.of();
        return list.stream()
                .filter(item -> item instanceof Map<?, ?> each && "False".equals(each.get("status")))
                .map(item -> String.valueOf(((Map<?, ?>) item).get("message")))
                .findFirst();
    }
}
