package io.jenkins.plugins.tao.backend.kubernetes.view;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/** What Kueue says of a Job that it has not admitted yet. Pure. */
public final class KueueReply {
    public static final String GROUP = "kueue.x-k8s.io";

    /** Served by the Kueue of 2023 and after; newer ones serve others beside it, and some day not it. */
    public static final String OLDEST = "v1beta1";

    private KueueReply() {}

    /** What Kueue says of a queue that is not there, and of a request that no quota holds; older ones say the reason otherwise. */
    private static final Pattern FOR_GOOD = Pattern.compile(
            "^(Misconfigured|ExceedsMaxQuota): |Queue \\S+ doesn't exist|^(?!.*unused quota).*> maximum capacity");

    /** Whether waiting longer does not help, as {@link #admission} tells it, while nobody changes a queue. */
    public static boolean isForGood(String admission) {
        return FOR_GOOD.matcher(admission).find();
    }

    /** Reason and message of the first condition that is false, of the Workload that belongs to {@code job}. */
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
                .map(item -> ((Map<?, ?>) item).get("reason") + ": " + ((Map<?, ?>) item).get("message"))
                .findFirst();
    }
}
