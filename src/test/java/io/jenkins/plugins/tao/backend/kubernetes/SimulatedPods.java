package io.jenkins.plugins.tao.backend.kubernetes;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerBuilder;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.jenkins.plugins.tao.backend.kubernetes.options.KubernetesNames;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;

/** What becomes of a pod on its way from the Job controller to the storage. */
final class SimulatedPods {
    private static final int LONGEST = 57;

    private SimulatedPods() {}

    /** The pod that the controller makes for one index of a Job. */
    static Pod of(Job job, int index) {
        boolean indexed = "Indexed".equals(job.getSpec().getCompletionMode());
        String name = job.getMetadata().getName() + (indexed ? "-" + index : "");
        Map<String, String> labels =
                new HashMap<>(job.getSpec().getTemplate().getMetadata().getLabels());
        labels.put("job-name", job.getMetadata().getName());
        labels.put("batch.kubernetes.io/job-name", job.getMetadata().getName());
        Map<String, String> notes = new HashMap<>(Objects.requireNonNullElse(
                job.getSpec().getTemplate().getMetadata().getAnnotations(), Map.of()));
        if (indexed) {
            labels.put(KubernetesNames.INDEX, String.valueOf(index));
            notes.put(KubernetesNames.INDEX, String.valueOf(index));
        }
        Pod pod = new PodBuilder()
                .withMetadata(new ObjectMetaBuilder()
                        .withName(cut(name) + "-" + UUID.randomUUID().toString().substring(0, 5))
                        .withNamespace(job.getMetadata().getNamespace())
                        .withLabels(labels)
                        .withAnnotations(notes)
                        .addNewOwnerReference()
                        .withKind("Job")
                        .withApiVersion("batch/v1")
                        .withName(job.getMetadata().getName())
                        .withUid(job.getMetadata().getUid())
                        .withController(true)
                        .endOwnerReference()
                        .build())
                .withSpec(job.getSpec().getTemplate().getSpec())
                .withNewStatus()
                .withPhase("Pending")
                .endStatus()
                .build();
        pod.getSpec().setHostname(indexed ? name : null);
        inject(pod);
        return pod;
    }

    /** Adds a container that never ends, as an admission webhook of a service mesh does, where the job has the label for it. */
    static void inject(Pod pod) {
        if (pod.getMetadata().getLabels().containsKey("simulate-injected")) {
            List<Container> containers = new ArrayList<>(pod.getSpec().getContainers());
            containers.add(new ContainerBuilder()
                    .withName("proxy")
                    .withImage("proxy:1")
                    .build());
            pod.getSpec().setContainers(containers);
        }
    }

    /** Names of pods are cut to fit with their random end. */
    static String cut(String name) {
        return name.substring(0, Math.min(LONGEST, name.length()));
    }
}
