package io.jenkins.plugins.tao.backend.kubernetes.checks;

import io.jenkins.plugins.tao.backend.kubernetes.request.KubernetesPlan;
import java.util.ArrayList;
import java.util.List;

/**
 * One thing the account should be permitted.
 *
 * @param verb as Kubernetes has it
 * @param resource {@code group/resource/subresource}
 * @param needed whether the job cannot run or not be watched without
 * @param without what happens without it
 */
public record Permission(String verb, String resource, boolean needed, String without) {
    public static final String REMEDY =
            "Give the account the Role of docs/backends/kubernetes/rights.md in the namespace.";

    /** What {@code plan} asks for beside creating a Job; the same list as the Role of the documentation. */
    public static List<Permission> of(KubernetesPlan plan) {
        List<Permission> all = new ArrayList<>(List.of(
                new Permission("get", "batch/jobs", true, "a submission whose answer is lost could not be found again"),
                new Permission("list", "batch/jobs", true, "the job could not be watched"),
                new Permission("delete", "batch/jobs", false, "the job cannot be cancelled from here"),
                new Permission("list", "/pods", false, "no logs, no exit code, and no reason for waiting or failing"),
                new Permission("get", "/pods/log", false, "no logs and no progress from status.json"),
                new Permission(
                        "list", "/events", false, "no reasons from events: quota, service account, volumes, pulling")));
        all.add(new Permission(
                "patch",
                "batch/jobs",
                plan.hasCompany(),
                plan.hasCompany()
                        ? "the Job waits for its Secret or Service and could not be let go"
                        : "deadlines for start and image pull cannot be kept"));
        all.add(new Permission(
                "create",
                "coordination.k8s.io/leases",
                false,
                "no job is held: another controller can cancel this one, and this one others'"));
        if (!plan.payload().secretNames().isEmpty() || plan.pullKey().isPresent()) {
            all.add(new Permission("create", "/secrets", true, "the job's secrets could not be handed over"));
        }
        if (plan.nodes() > 1) {
            all.add(new Permission("create", "/services", true, "the nodes could not find each other"));
        }
        if (plan.fetchesFromVolume()) {
            all.addAll(ofVolumes());
        }
        if (plan.volcano()) {
            String groups = "scheduling.volcano.sh/podgroups";
            all.add(new Permission("create", groups, true, "the pods would not start as one group"));
            all.add(new Permission("list", groups, false, "why the group waits is known from its pods alone"));
        }
        return all;
    }

    /** What reading files off a volume asks for; without any of it the job runs all the same. */
    private static List<Permission> ofVolumes() {
        String byLogs = "files come by logs of pods, 6 MiB in all";
        return List.of(
                new Permission("create", "/pods", false, "files stay on the volume"),
                new Permission("delete", "/pods", false, "the pod that reads the volume stays until its deadline"),
                new Permission("get", "/pods", false, byLogs),
                new Permission("get", "/pods/exec", false, byLogs),
                new Permission("create", "/pods/exec", false, byLogs));
    }
}
