package io.jenkins.plugins.tao.backend.kubernetes.request;

import io.fabric8.kubernetes.api.model.LocalObjectReference;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.PodTemplateSpecBuilder;
import io.fabric8.kubernetes.api.model.Volume;
import io.fabric8.kubernetes.api.model.VolumeBuilder;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.batch.v1.JobBuilder;
import io.fabric8.kubernetes.api.model.batch.v1.JobSpec;
import io.fabric8.kubernetes.api.model.batch.v1.JobSpecBuilder;
import io.fabric8.kubernetes.api.model.batch.v1.PodFailurePolicy;
import io.fabric8.kubernetes.api.model.batch.v1.PodFailurePolicyBuilder;
import io.jenkins.plugins.tao.backend.BackendException.Rejected;
import io.jenkins.plugins.tao.backend.kubernetes.options.KubernetesNames;
import io.jenkins.plugins.tao.backend.kubernetes.options.PodPatch;
import io.jenkins.plugins.tao.backend.kubernetes.options.Tolerated;
import io.jenkins.plugins.tao.backend.kubernetes.options.VolumeMount;
import io.jenkins.plugins.tao.job.Work;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Makes the Job of a plan's first attempt. Pure. */
public final class JobRequest {
    /** The volume below {@code /dev/shm}. */
    public static final String SHM = "dshm";

    static final String SCRATCH = "scratch-";
    static final String PULL_SUFFIX = "-pull";
    static final String VOLCANO_GROUP = "scheduling.k8s.io/group-name";
    static final String VOLCANO_QUEUE = "scheduling.volcano.sh/queue-name";

    private JobRequest() {}

    public static Job render(KubernetesPlan plan) throws Rejected {
        Job job = new JobBuilder()
                .withNewMetadata()
                .withName(plan.name())
                .withNamespace(plan.namespace())
                .withLabels(labels(plan))
                .withAnnotations(annotations(plan))
                .endMetadata()
                .withSpec(spec(plan))
                .build();
        QueueTraces.note(job);
        return job;
    }

    /** How the Job finds its way back to us, on the Job and its pods. */
    private static Map<String, String> labels(KubernetesPlan plan) {
        Map<String, String> labels = new LinkedHashMap<>(plan.options().labels());
        labels.put(KubernetesNames.MANAGED_BY, KubernetesNames.OURS);
        labels.put(KubernetesNames.JOB, plan.name());
        labels.put(KubernetesNames.ATTEMPT, "1");
        plan.kueue().ifPresent(queue -> labels.put(KubernetesNames.QUEUE, queue));
        return labels;
    }

    private static Map<String, String> annotations(KubernetesPlan plan) throws Rejected {
        Map<String, String> notes = new LinkedHashMap<>(plan.options().annotations());
        notes.put(KubernetesNames.KEY, plan.key().value());
        notes.put(KubernetesNames.WORK, plan.work());
        notes.put(KubernetesNames.SPEC, Work.ofSpec(plan.spec()));
        notes.put(KubernetesNames.RESULTS, plan.resultsDirectory());
        plan.spec().gitCode().ifPresent(code -> notes.put(KubernetesNames.COMMIT, code.commit()));
        plan.spec().origin().ifPresent(build -> notes.put(KubernetesNames.ORIGIN, build));
        plan.payload().resultsAddress().ifPresent(at -> notes.put(KubernetesNames.ADDRESS, at.toString()));
        if (plan.payload().usedStorage().isPresent()) {
            notes.put(KubernetesNames.BUCKETS, String.join(",", plan.payload().buckets()));
        }
        notes.put(
                KubernetesNames.PULL_DEADLINE,
                String.valueOf(plan.pullDeadline().toSeconds()));
        plan.startDeadline()
                .ifPresent(time -> notes.put(KubernetesNames.START_DEADLINE, String.valueOf(time.toSeconds())));
        if (!plan.hasMembers()) {
            plan.spec()
                    .resources()
                    .wallTime()
                    .ifPresent(time -> notes.put(KubernetesNames.LIMIT, String.valueOf(time.toSeconds())));
        }
        if (plan.hasMembers()) {
            notes.put(KubernetesNames.MEMBERS, plan.members().render());
        }
        if (plan.volcano()) {
            plan.options().queue().ifPresent(queue -> notes.put(VOLCANO_QUEUE, queue));
        }
        plan.options()
                .fetchFromVolume()
                .ifPresent(wanted -> notes.put(KubernetesNames.FROM_VOLUME, String.valueOf(wanted)));
        if (plan.hasCompany() || plan.hasMembers()) {
            notes.put(KubernetesNames.HELD, "true");
        }
        return notes;
    }

    private static JobSpec spec(KubernetesPlan plan) throws Rejected {
        JobSpecBuilder spec = new JobSpecBuilder()
                .withTtlSecondsAfterFinished((int) plan.ttl().toSeconds())
                .withTemplate(template(plan));
        if (plan.hasCompany() || plan.hasMembers() || plan.kueue().isPresent()) {
            spec.withSuspend(true); // of one with members it is looked first at what the server made of it
        }
        if (plan.hasMembers()) {
            spec.withBackoffLimitPerIndex(0);
        } else {
            spec.withBackoffLimit(plan.restarts());
        }
        if (!plan.hasMembers() && plan.restartPolicy().equals("Never") && plan.restarts() == 0) {
            spec.withPodFailurePolicy(disruptions());
        }
        if (plan.indexed()) {
            spec.withCompletionMode("Indexed")
                    .withCompletions(plan.options().completions().orElse(plan.nodes()))
                    .withParallelism(plan.podsAtOnce());
        }
        return spec.build();
    }

    /** Tells a disruption (preemption, eviction, a lost node) from an error of the program, in the Job's own condition. */
    private static PodFailurePolicy disruptions() {
        return new PodFailurePolicyBuilder()
                .addNewRule()
                .withAction("FailJob")
                .addNewOnPodCondition()
                .withType("DisruptionTarget")
                .withStatus("True")
                .endOnPodCondition()
                .endRule()
                .build();
    }

    private static PodTemplateSpec template(KubernetesPlan plan) throws Rejected {
        PodTemplateSpecBuilder pod = new PodTemplateSpecBuilder()
                .withNewMetadata()
                .withLabels(labels(plan))
                .withAnnotations(podAnnotations(plan))
                .endMetadata();
        var spec = pod.withNewSpec()
                .withRestartPolicy(plan.restartPolicy())
                .withEnableServiceLinks(false) // a Service called master would set MASTER_PORT
                .withAutomountServiceAccountToken(plan.shape().apiToken().orElse(false))
                .withTerminationGracePeriodSeconds(plan.grace().toSeconds())
                .withNodeSelector(plan.nodeSelector().isEmpty() ? null : plan.nodeSelector())
                .withTolerations(
                        plan.tolerations().stream().map(Tolerated::toleration).toList())
                .withImagePullSecrets(pullSecrets(plan))
                .withContainers(ContainerRequest.render(plan))
                .withVolumes(volumes(plan));
        SecurityRequest.pod(plan).ifPresent(spec::withSecurityContext);
        plan.serviceAccount().ifPresent(spec::withServiceAccountName);
        plan.options().priorityClass().ifPresent(spec::withPriorityClassName);
        plan.options().scheduler().ifPresent(spec::withSchedulerName);
        plan.shape().runtimeClass().ifPresent(spec::withRuntimeClassName);
        if (plan.shape().hostNetwork().orElse(false)) {
            spec.withHostNetwork(true)
                    .withDnsPolicy("ClusterFirstWithHostNet"); // else no pod finds the first one by name
        }
        if (plan.nodes() > 1) {
            spec.withSubdomain(plan.name());
        }
        plan.podLimit().ifPresent(time -> spec.withActiveDeadlineSeconds(time.toSeconds()));
        PodTemplateSpec template = spec.endSpec().build();
        return plan.shape()
                .patch()
                .map(patch -> PodPatch.apply(template, patch))
                .orElse(template);
    }

    private static Map<String, String> podAnnotations(KubernetesPlan plan) {
        Map<String, String> notes = new LinkedHashMap<>(plan.options().annotations());
        if (plan.volcano()) {
            notes.put(VOLCANO_GROUP, plan.name());
        }
        return notes;
    }

    private static List<LocalObjectReference> pullSecrets(KubernetesPlan plan) {
        if (plan.pullKey().isPresent()) {
            return List.of(new LocalObjectReference(plan.name() + PULL_SUFFIX));
        }
        return plan.pullSecret().map(LocalObjectReference::new).map(List::of).orElse(List.of());
    }

    private static List<Volume> volumes(KubernetesPlan plan) {
        List<Volume> volumes = new ArrayList<>();
        volumes.add(new VolumeBuilder()
                .withName(SHM)
                .withNewEmptyDir()
                .withMedium("Memory")
                .withNewSizeLimit(plan.shm())
                .endEmptyDir()
                .build());
        for (int i = 0; i < plan.scratch().size(); i++) {
            volumes.add(new VolumeBuilder()
                    .withName(SCRATCH + i)
                    .withNewEmptyDir()
                    .endEmptyDir()
                    .build());
        }
        int number = 0;
        for (String source :
                plan.volumes().stream().map(VolumeMount::source).distinct().toList()) {
            List<VolumeMount> mounts = plan.volumes().stream()
                    .filter(each -> each.source().equals(source))
                    .toList();
            boolean readOnly = mounts.stream().allMatch(VolumeMount::readOnly);
            volumes.add(mounts.get(0).volume("data-" + number++, readOnly).build());
        }
        return volumes;
    }
}
