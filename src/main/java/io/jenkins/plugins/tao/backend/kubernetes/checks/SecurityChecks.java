package io.jenkins.plugins.tao.backend.kubernetes.checks;

import io.jenkins.plugins.tao.backend.Report.Check;
import io.jenkins.plugins.tao.backend.kubernetes.options.VolumeMount;
import io.jenkins.plugins.tao.backend.kubernetes.request.KubernetesPlan;
import io.jenkins.plugins.tao.backend.kubernetes.request.SecurityRequest;
import java.util.Optional;

/** What can be said of a pod's security context before it is made, and what helps where a cluster refuses it. Pure. */
public final class SecurityChecks {
    private SecurityChecks() {}

    /** What the pods promise; empty when they are as image and cluster have them. */
    public static Optional<Check> of(KubernetesPlan plan) {
        if (SecurityRequest.pod(plan).isEmpty()) {
            return Optional.empty();
        }
        String level = plan.restricted() ? "restricted" : "baseline";
        return Optional.of(Check.passed("pod security", level + ", " + user(plan) + volumes(plan)));
    }

    private static String user(KubernetesPlan plan) {
        var user = plan.runAs().runAsUser();
        if (user.isPresent()) {
            return "as user " + user.getAsLong();
        }
        return plan.restricted()
                ? "as the image's own user or the one that the cluster gives (not verified); root would be refused by the"
                        + " node, see runAsUser"
                : "as the image's own user";
    }

    private static String volumes(KubernetesPlan plan) {
        boolean open = !plan.rootless()
                || plan.volumes().stream().allMatch(VolumeMount::readOnly)
                || plan.runAs().fsGroup().isPresent();
        return open ? "" : "; volumes must be writable for that user, see fsGroup";
    }

    /** What to do about the cluster's {@code message}. */
    public static String remedy(String message) {
        if (message.contains("PodSecurity \"restricted")) {
            return "Set podSecurity: restricted on the target, with securityContext: runAsUser where the image's own user"
                    + " is root. Where that is set, ask the namespace's owner.";
        }
        return message.contains("PodSecurity")
                ? "The namespace's pod security level forbids it: ask its owner, or use another namespace."
                : "Ask the namespace's owner, or use another namespace.";
    }
}
