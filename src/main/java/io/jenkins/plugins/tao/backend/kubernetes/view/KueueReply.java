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
            "^(Misconfigured|ExceedsMaxQuota|Deactivated): |Queue \\S+ doesn't exist|^(?!.*, ).*unavailable in ClusterQueue|^(?!.*unused quota).*> maximum capacity");

    /** Whether waiting longer does not help, as {@link #admission} tells it, while nobody changes a queue. */
    public static boolean isForGood(String admission) {
        return FOR_GOOD.matcher(admission).find();
    }

    /** Reason and message of what keeps the Workload that belongs to {@code job} from its quota, and why it was evicted. */
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
        List<Map<String, Object>> conditions = workload.get("status", "conditions");
        if (conditions == null) {
            return Optional.empty();
        }
        Optional<String> evicted = said(conditions, "Evicted", "True");
        if (Boolean.FALSE.equals(workload.get("spec", "active"))) {
            return Optional.of("Deactivated: Kueue admits its Workload '"
                    + workload.getMetadata().getName() + "' no more"
                    + evicted.map(why -> ", " + why).orElse("")
                    + "; send the job again");
        }
        return said(conditions, "QuotaReserved", "False")
                .or(() -> said(conditions, ".*", "False"))
                .map(waits -> waits
                        + evicted.map(why -> "; it was evicted before: " + why).orElse(""));
    }

    private static Optional<String> said(List<Map<String, Object>> conditions, String type, String status) {
        return conditions.stream()
                .filter(each -> status.equals(each.get("status"))
                        && String.valueOf(each.get("type")).matches(type))
                .findFirst()
                .map(each -> each.get("reason") + ": " + each.get("message"));
    }
}
