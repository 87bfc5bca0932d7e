package io.jenkins.plugins.tao.backend.kubernetes.request;

import io.fabric8.kubernetes.api.model.PodSecurityContext;
import io.fabric8.kubernetes.api.model.PodSecurityContextBuilder;
import io.fabric8.kubernetes.api.model.SecurityContext;
import io.fabric8.kubernetes.api.model.SecurityContextBuilder;
import io.jenkins.plugins.tao.backend.kubernetes.options.KubernetesTarget;
import io.jenkins.plugins.tao.backend.kubernetes.options.RunAs;
import java.util.List;
import java.util.Optional;

/**
 * Makes the security contexts of a pod and its container. Pure.
 *
 * @see <a href="https://kubernetes.io/docs/concepts/security/pod-security-standards/">Pod Security Standards</a>, read
 *     for Kubernetes 1.36
 */
public final class SecurityRequest {
    private SecurityRequest() {}

    /** Who the pod's processes are; empty leaves it to image and cluster. */
    public static Optional<PodSecurityContext> pod(KubernetesPlan plan) {
        return pod(plan.restricted(), plan.runAs());
    }

    /** The same for a pod that runs no job. */
    static Optional<PodSecurityContext> pod(KubernetesTarget target) {
        return pod(
                target.podSecurity().equals(Optional.of(KubernetesTarget.PodSecurity.RESTRICTED)),
                target.securityContext().orElse(RunAs.AS_IS));
    }

    private static Optional<PodSecurityContext> pod(boolean restricted, RunAs runAs) {
        if (!restricted && runAs.equals(RunAs.AS_IS)) {
            return Optional.empty();
        }
        PodSecurityContextBuilder context = new PodSecurityContextBuilder();
        runAs.runAsUser().ifPresent(context::withRunAsUser);
        runAs.runAsGroup().ifPresent(context::withRunAsGroup);
        runAs.fsGroup()
                .ifPresent(group -> context.withFsGroup(group)
                        // else a volume with millions of files is gone through at each start
                        .withFsGroupChangePolicy("OnRootMismatch"));
        if (restricted) {
            context.withRunAsNonRoot(true)
                    .withNewSeccompProfile()
                    .withType("RuntimeDefault")
                    .endSeccompProfile();
        }
        return Optional.of(context.build());
    }

    /** What only a container can promise, and what it needs of the kernel. */
    static Optional<SecurityContext> container(KubernetesPlan plan) {
        List<String> added = plan.shape().capabilities();
        if (!plan.restricted() && added.isEmpty()) {
            return Optional.empty();
        }
        SecurityContextBuilder context = new SecurityContextBuilder();
        if (plan.restricted()) {
            context.withAllowPrivilegeEscalation(false);
        }
        return Optional.of(context.withNewCapabilities()
                .withAdd(added)
                .withDrop(plan.restricted() ? List.of("ALL") : List.of())
                .endCapabilities()
                .build());
    }
}
