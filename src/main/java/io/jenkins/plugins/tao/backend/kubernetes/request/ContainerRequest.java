package io.jenkins.plugins.tao.backend.kubernetes.request;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerBuilder;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.EnvVarBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceRequirements;
import io.fabric8.kubernetes.api.model.ResourceRequirementsBuilder;
import io.jenkins.plugins.tao.backend.BackendException.Rejected;
import io.jenkins.plugins.tao.backend.kubernetes.options.KubernetesNames;
import io.jenkins.plugins.tao.backend.kubernetes.options.KubernetesOptions.Shell;
import io.jenkins.plugins.tao.backend.kubernetes.options.VolumeMount;
import io.jenkins.plugins.tao.payload.Payload;
import java.util.ArrayList;
import java.util.List;

/** Makes the one container of a pod. Pure. */
final class ContainerRequest {
    private ContainerRequest() {}

    static Container render(KubernetesPlan plan) throws Rejected {
        Payload payload = plan.payload();
        String shell = plan.options().shell().orElse(Shell.BASH) == Shell.BASH ? "/bin/bash" : "/bin/sh";
        return new ContainerBuilder()
                .withName(KubernetesNames.CONTAINER)
                .withImage(plan.image())
                .withCommand(shell, "-c", Expansion.guard(payload.script()))
                .withEnv(env(plan, payload))
                .withResources(resources(plan))
                .withTerminationMessagePolicy("FallbackToLogsOnError") // the last lines outlive the pod's log
                .withVolumeMounts(mounts(plan))
                .withSecurityContext(SecurityRequest.container(plan).orElse(null))
                .build();
    }

    /** The script sets its own variables too; these are for people and programs that look at the pod. */
    private static List<EnvVar> env(KubernetesPlan plan, Payload payload) {
        List<EnvVar> env = new ArrayList<>();
        env.add(new EnvVar(KubernetesNames.JOB_VARIABLE, plan.name(), null));
        env.add(new EnvVarBuilder()
                .withName("TAO_NODE_NAME")
                .withNewValueFrom()
                .withNewFieldRef()
                .withFieldPath("spec.nodeName")
                .endFieldRef()
                .endValueFrom()
                .build());
        payload.env().forEach((name, value) -> env.add(new EnvVar(name, Expansion.guard(value), null)));
        for (String name : payload.secretNames()) {
            env.add(new EnvVarBuilder()
                    .withName(name)
                    .withNewValueFrom()
                    .withNewSecretKeyRef(name, plan.name(), false)
                    .endValueFrom()
                    .build());
        }
        plan.shape().secretEnv().forEach((name, from) -> {
            int slash = from.indexOf('/');
            env.add(new EnvVarBuilder()
                    .withName(name)
                    .withNewValueFrom()
                    .withNewSecretKeyRef(from.substring(slash + 1), from.substring(0, slash), false)
                    .endValueFrom()
                    .build());
        });
        return env;
    }

    /** GPUs are limits and nothing else; the API server makes equal requests of them. */
    private static ResourceRequirements resources(KubernetesPlan plan) {
        ResourceRequirementsBuilder resources = new ResourceRequirementsBuilder();
        if (plan.gpus() > 0) {
            resources.addToLimits(plan.gpuResource(), new Quantity(String.valueOf(plan.gpus())));
        }
        plan.spec()
                .resources()
                .cpusPerNode()
                .ifPresent(cpus -> resources.addToRequests("cpu", new Quantity(String.valueOf(cpus))));
        plan.options()
                .memory()
                .ifPresent(memory -> resources
                        .addToRequests("memory", new Quantity(memory))
                        .addToLimits("memory", new Quantity(memory)));
        plan.options()
                .ephemeralStorage()
                .ifPresent(space -> resources
                        .addToRequests("ephemeral-storage", new Quantity(space))
                        .addToLimits("ephemeral-storage", new Quantity(space)));
        plan.shape()
                .resources()
                .forEach((name, amount) ->
                        resources.addToRequests(name, new Quantity(amount)).addToLimits(name, new Quantity(amount)));
        return resources.build();
    }

    private static List<io.fabric8.kubernetes.api.model.VolumeMount> mounts(KubernetesPlan plan) {
        List<io.fabric8.kubernetes.api.model.VolumeMount> mounts = new ArrayList<>();
        mounts.add(mount(JobRequest.SHM, "/dev/shm", false));
        for (int i = 0; i < plan.scratch().size(); i++) {
            mounts.add(mount(JobRequest.SCRATCH + i, plan.scratch().get(i), false));
        }
        List<String> sources =
                plan.volumes().stream().map(VolumeMount::source).distinct().toList();
        for (VolumeMount volume : plan.volumes()) {
            mounts.add(mount("data-" + sources.indexOf(volume.source()), volume.path(), volume.readOnly()));
        }
        return mounts;
    }

    private static io.fabric8.kubernetes.api.model.VolumeMount mount(String name, String path, boolean readOnly) {
        return new io.fabric8.kubernetes.api.model.VolumeMountBuilder()
                .withName(name)
                .withMountPath(path)
                .withReadOnly(readOnly ? true : null)
                .build();
    }
}
