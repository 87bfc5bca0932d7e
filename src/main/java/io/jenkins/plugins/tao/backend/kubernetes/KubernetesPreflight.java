package io.jenkins.plugins.tao.backend.kubernetes;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.client.VersionInfo;
import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.backend.BackendException.Denied;
import io.jenkins.plugins.tao.backend.BackendException.Rejected;
import io.jenkins.plugins.tao.backend.BackendException.Unreachable;
import io.jenkins.plugins.tao.backend.Report;
import io.jenkins.plugins.tao.backend.Report.Check;
import io.jenkins.plugins.tao.backend.kubernetes.access.ClusterAccess;
import io.jenkins.plugins.tao.backend.kubernetes.api.KubernetesApi;
import io.jenkins.plugins.tao.backend.kubernetes.checks.CapacityReply;
import io.jenkins.plugins.tao.backend.kubernetes.checks.NodeChecks;
import io.jenkins.plugins.tao.backend.kubernetes.checks.Permission;
import io.jenkins.plugins.tao.backend.kubernetes.checks.SecurityChecks;
import io.jenkins.plugins.tao.backend.kubernetes.checks.ShapeChecks;
import io.jenkins.plugins.tao.backend.kubernetes.options.KubernetesTarget;
import io.jenkins.plugins.tao.backend.kubernetes.options.VolumeMount;
import io.jenkins.plugins.tao.backend.kubernetes.request.CompanionRequest;
import io.jenkins.plugins.tao.backend.kubernetes.request.JobRequest;
import io.jenkins.plugins.tao.backend.kubernetes.request.KubernetesPlan;
import io.jenkins.plugins.tao.backend.kubernetes.view.Answer;
import io.jenkins.plugins.tao.backend.kubernetes.view.KueueReply;
import io.jenkins.plugins.tao.job.JobKey;
import io.jenkins.plugins.tao.job.JobSpec;
import io.jenkins.plugins.tao.payload.HubChecks;
import io.jenkins.plugins.tao.payload.NgcChecks;
import io.jenkins.plugins.tao.payload.S3Checks;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import lombok.AccessLevel;
import lombok.RequiredArgsConstructor;

/** Asks a cluster whether it can and may run a job; writes nothing. */
@RequiredArgsConstructor(access = AccessLevel.PACKAGE)
final class KubernetesPreflight {
    private static final int LIMIT_PER_INDEX = 29;
    private static final int INDEXED_HOSTNAMES = 28;

    private final KubernetesTarget target;
    private final KubernetesApi api;
    private final ClusterAccess access;
    private final List<Check> checks = new ArrayList<>();

    Report report(JobSpec spec) throws BackendException {
        KubernetesPlan plan;
        try {
            plan = KubernetesPlan.of(target, spec, new JobKey("preflight"), access.namespace());
            JobRequest.render(plan);
        } catch (Rejected e) {
            return new Report(List.of(Check.failed("job", String.valueOf(e.getMessage()), e.remedy())));
        }
        checks.addAll(ShapeChecks.of(plan));
        SecurityChecks.of(plan).ifPresent(checks::add);
        checks.addAll(S3Checks.of(plan.payload(), target.http()));
        checks.addAll(HubChecks.of(plan.payload(), target.http(), Set.of()));
        checks.addAll(NgcChecks.of(
                plan.payload(), target.http(), plan.shape().secretEnv().keySet()));
        if (reachable(plan)) {
            tryOut(plan);
            permissions(plan);
            claims(plan);
            pullSecret(plan);
            queue(plan);
            capacity(plan);
        }
        return new Report(checks);
    }

    private boolean reachable(KubernetesPlan plan) throws BackendException {
        try {
            VersionInfo version = api.version();
            String text = version.getMajor() + "." + version.getMinor();
            checks.add(Check.passed("cluster", "Kubernetes " + text + " answers, by " + access.source()));
            severalNodes(plan, text, version.getMinor());
            members(plan, text, version.getMinor());
            return allowed(plan);
        } catch (Unreachable e) {
            checks.add(Check.failed("cluster", String.valueOf(e.getMessage()), e.remedy()));
            return false;
        } catch (Denied e) {
            checks.add(Check.failed("credential", String.valueOf(e.getMessage()), e.remedy()));
            return false;
        }
    }

    private void severalNodes(KubernetesPlan plan, String version, String minor) {
        if (plan.nodes() == 1) {
            return;
        }
        if (isBefore(INDEXED_HOSTNAMES, minor)) {
            checks.add(Check.failed(
                    "server version",
                    "several nodes need Kubernetes 1.28 or newer, and this is " + version,
                    "Use one node, or another cluster."));
        } else {
            checks.add(Check.passed("server version", version + " can run several nodes"));
        }
    }

    private static boolean isBefore(int version, String minor) {
        String digits = Objects.requireNonNullElse(minor, "").replaceAll("\\D.*", "");
        return !digits.isEmpty() && Integer.parseInt(digits) < version;
    }

    private void members(KubernetesPlan plan, String version, String minor) {
        if (!plan.hasMembers()) {
            return;
        }
        checks.add(
                isBefore(LIMIT_PER_INDEX, minor)
                        ? Check.failed(
                                "members",
                                "a failed member leaves the others alone from Kubernetes 1.29 on, and this is "
                                        + version,
                                KubernetesSubmission.MEMBERS_REMEDY)
                        : Check.passed(
                                "members",
                                plan.members().list().size() + " in one Job, " + plan.podsAtOnce() + " at a time"));
    }

    /** {@code /version} answers without any credential; the first question that proves one is this. */
    private boolean allowed(KubernetesPlan plan) throws BackendException {
        if (api.may("create", "batch/jobs", Optional.of(plan.namespace()))) {
            checks.add(Check.passed("create Jobs", "permitted in namespace '" + plan.namespace() + "'"));
            return true;
        }
        checks.add(Check.failed(
                "create Jobs",
                "the account may not create Jobs in namespace '" + plan.namespace() + "'",
                "Give it the Role of docs/backends/kubernetes/rights.md, or name another namespace."));
        return false;
    }

    /** The server's own checks: the namespace, a quota on Jobs, webhooks, and the pod security level, of which it only warns. */
    private void tryOut(KubernetesPlan plan) throws BackendException {
        String name = "the Job, tried out";
        try {
            List<String> warnings = api.tryOut(JobRequest.render(plan));
            warnings.forEach(
                    text -> checks.add(Check.warning(name, "the cluster says: " + text, SecurityChecks.remedy(text))));
            if (warnings.isEmpty()) {
                checks.add(Check.passed(name, "the cluster would take it"));
            }
        } catch (Rejected | Denied e) {
            String text = String.valueOf(e.getMessage());
            // a webhook that cannot be asked without an effect says nothing about the Job
            checks.add(
                    text.contains("does not support dry run")
                            ? Check.passed(name, "not verified: " + text)
                            : Check.failed(name, text, e.remedy()));
        }
    }

    private void permissions(KubernetesPlan plan) throws BackendException {
        for (Permission permission : Permission.of(plan)) {
            String name = permission.verb() + " " + permission.resource().replaceFirst("^[^/]*/", "");
            if (api.may(permission.verb(), permission.resource(), Optional.of(plan.namespace()))) {
                checks.add(Check.passed(name, "permitted"));
            } else if (permission.needed()) {
                checks.add(Check.failed(name, "not permitted: " + permission.without(), Permission.REMEDY));
            } else {
                checks.add(Check.warning(name, "not permitted: " + permission.without(), Permission.REMEDY));
            }
        }
    }

    private void claims(KubernetesPlan plan) throws BackendException {
        for (VolumeMount volume :
                plan.volumes().stream().filter(VolumeMount::isClaim).toList()) {
            try {
                Optional<PersistentVolumeClaim> claim = api.claim(plan.namespace(), volume.claim());
                checks.add(ShapeChecks.claim(plan, volume, claim));
            } catch (Denied e) {
                checks.add(Check.warning(
                        "volume " + volume.claim(),
                        "not verified: the account may not read claims; a missing one leaves the pod pending",
                        Permission.REMEDY));
            }
        }
    }

    private void pullSecret(KubernetesPlan plan) throws BackendException {
        Optional<String> name = plan.pullSecret();
        if (name.isEmpty() || plan.pullKey().isPresent()) {
            return;
        }
        if (!api.may("get", "/secrets", Optional.of(plan.namespace()))) {
            checks.add(Check.passed(
                    "pull secret", "'" + name.get() + "', not verified: the account may not read Secrets"));
        } else if (api.hasSecret(plan.namespace(), name.get())) {
            checks.add(Check.passed("pull secret", "'" + name.get() + "' is there"));
        } else {
            checks.add(Check.failed(
                    "pull secret",
                    "there is no Secret '" + name.get() + "' in namespace '" + plan.namespace() + "'",
                    "Make it: kubectl create secret docker-registry " + name.get() + " --namespace " + plan.namespace()
                            + " --docker-server=" + CompanionRequest.registry(plan.image())
                            + " --docker-username='$oauthtoken' --docker-password=\"$NGC_KEY\"."));
        }
    }

    /** A queue that is not there admits nothing, and leaves the Job suspended for ever. */
    private void queue(KubernetesPlan plan) throws BackendException {
        if (plan.kueue().isEmpty()) {
            return;
        }
        String name = "queue " + plan.kueue().get();
        Answer<GenericKubernetesResource> queues =
                api.lists().generic(KueueReply.GROUP + "/" + api.kueueVersion(), "LocalQueue", plan.namespace());
        List<String> there = queues.orNone().stream()
                .map(queue -> queue.getMetadata().getName())
                .sorted()
                .toList();
        if (queues.listed().isEmpty()) {
            checks.add(Check.warning(
                    name,
                    "not verified: " + queues.gap().map(Throwable::getMessage).orElse(""),
                    "Give the account 'list' on localqueues of " + KueueReply.GROUP + " to have it checked."));
        } else if (there.contains(plan.kueue().get())) {
            checks.add(Check.passed(name, "is there in namespace '" + plan.namespace() + "'"));
        } else {
            checks.add(Check.failed(
                    name,
                    "there is no LocalQueue of this name in namespace '" + plan.namespace() + "'"
                            + (there.isEmpty() ? "" : ", only " + String.join(", ", there)),
                    "Use one of 'kubectl get localqueues --namespace " + plan.namespace() + "', or have it made."));
        }
    }

    private void capacity(KubernetesPlan plan) throws BackendException {
        Answer<Node> answer = api.nodes();
        Optional<CapacityReply> nodes = answer.listed().map(CapacityReply::new);
        if (nodes.isEmpty()) {
            checks.add(unverified(answer));
            return;
        }
        checks.addAll(NodeChecks.runtime(nodes.get(), target.managedNodes().orElse(false)));
        checks.addAll(NodeChecks.presence(nodes.get(), plan));
        if (plan.gpus() > 0) {
            checks.add(NodeChecks.room(nodes.get(), plan, api.lists().allPods().listed()));
        }
    }

    private static Check unverified(Answer<Node> nodes) {
        return nodes instanceof Answer.Unknown<Node> unknown
                ? Check.warning(
                        "GPUs of the cluster",
                        "not verified: " + unknown.why().getMessage(),
                        "Check again; a job that is too large stays pending.")
                : Check.warning(
                        "GPUs of the cluster",
                        "not verified: the account may not list nodes, so a job that is too large stays pending",
                        "Bind the ClusterRole of docs/backends/kubernetes/rights.md to have it checked.");
    }
}
