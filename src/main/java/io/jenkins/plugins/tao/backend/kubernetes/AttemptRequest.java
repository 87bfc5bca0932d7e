package io.jenkins.plugins.tao.backend.kubernetes;

import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.NodeSelectorRequirement;
import io.fabric8.kubernetes.api.model.NodeSelectorRequirementBuilder;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.PodSpecBuilder;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.batch.v1.JobBuilder;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/** Makes the Job of a further attempt out of the one before: everything the same but its name and the nodes to avoid. Pure. */
final class AttemptRequest {
    private static final String NODE_NAME = "metadata.name";
    /** What the server put there and will put there again. */
    private static final Set<String> SERVERS =
            Set.of("controller-uid", "job-name", "batch.kubernetes.io/controller-uid", "batch.kubernetes.io/job-name");

    private AttemptRequest() {}

    /** The Job of attempt {@code number}, called {@code name}. */
    static Job render(Job previous, int number, String name, Set<String> avoidNodes) {
        String before = previous.getMetadata().getName();
        boolean kueue = previous.getMetadata().getLabels().containsKey(KubernetesNames.QUEUE);
        Job job = new JobBuilder(previous)
                .withNewMetadata()
                .withName(name)
                .withNamespace(previous.getMetadata().getNamespace())
                .withLabels(labels(previous.getMetadata().getLabels(), number))
                .withAnnotations(annotations(previous.getMetadata().getAnnotations()))
                .endMetadata()
                .withStatus(null)
                .build();
        job.getSpec().setSelector(null);
        job.getSpec().setManualSelector(null);
        var metadata = job.getSpec().getTemplate().getMetadata();
        metadata.setLabels(labels(metadata.getLabels(), number));
        if (metadata.getAnnotations() != null) {
            metadata.getAnnotations().computeIfPresent(JobRequest.VOLCANO_GROUP, (key, group) -> name);
        }
        job.getSpec().getTemplate().setSpec(pod(job.getSpec().getTemplate().getSpec(), before, name, avoidNodes));
        boolean company = !CompanionRequest.of(job, Map.of()).isEmpty() || refersToSecrets(job, name);
        job.getSpec().setSuspend((company || kueue) ? true : null);
        if (company) {
            job.getMetadata().getAnnotations().put(KubernetesNames.HELD, "true");
        }
        return job;
    }

    private static boolean refersToSecrets(Job job, String name) {
        return job.getSpec().getTemplate().getSpec().getContainers().get(0).getEnv().stream()
                .anyMatch(env -> env.getValueFrom() != null
                        && env.getValueFrom().getSecretKeyRef() != null
                        && name.equals(env.getValueFrom().getSecretKeyRef().getName()));
    }

    private static Map<String, String> labels(Map<String, String> before, int number) {
        Map<String, String> labels = new LinkedHashMap<>(before);
        labels.keySet().removeAll(SERVERS);
        labels.put(KubernetesNames.ATTEMPT, String.valueOf(number));
        return labels;
    }

    private static Map<String, String> annotations(Map<String, String> before) {
        Map<String, String> notes = new LinkedHashMap<>(before);
        notes.remove(KubernetesNames.ENDED);
        notes.remove(KubernetesNames.HELD);
        notes.keySet().removeIf(name -> name.startsWith("batch.kubernetes.io/"));
        return notes;
    }

    private static PodSpec pod(PodSpec before, String oldName, String name, Set<String> avoidNodes) {
        PodSpecBuilder pod = new PodSpecBuilder(before);
        if (before.getSubdomain() != null) {
            pod.withSubdomain(name);
        }
        pod.editFirstContainer()
                .withEnv(before.getContainers().get(0).getEnv().stream()
                        .map(env -> renamed(env, oldName, name))
                        .toList())
                .endContainer();
        before.getImagePullSecrets().forEach(reference -> {
            if ((oldName + JobRequest.PULL_SUFFIX).equals(reference.getName())) {
                pod.withImagePullSecrets(
                        new io.fabric8.kubernetes.api.model.LocalObjectReference(name + JobRequest.PULL_SUFFIX));
            }
        });
        if (!avoidNodes.isEmpty()) {
            pod.editOrNewAffinity()
                    .withNewNodeAffinity()
                    .withNewRequiredDuringSchedulingIgnoredDuringExecution()
                    .addNewNodeSelectorTerm()
                    .withMatchFields(avoid(before, avoidNodes))
                    .endNodeSelectorTerm()
                    .endRequiredDuringSchedulingIgnoredDuringExecution()
                    .endNodeAffinity()
                    .endAffinity();
        }
        return pod.build();
    }

    private static EnvVar renamed(EnvVar env, String oldName, String name) {
        if (env.getName().equals(KubernetesNames.JOB_VARIABLE)) {
            return new EnvVar(env.getName(), name, null);
        }
        if (env.getValueFrom() != null
                && env.getValueFrom().getSecretKeyRef() != null
                && oldName.equals(env.getValueFrom().getSecretKeyRef().getName())) {
            env.getValueFrom().getSecretKeyRef().setName(name);
        }
        return env;
    }

    /** The nodes of earlier attempts stay avoided; the API takes one name in each of these. */
    private static List<NodeSelectorRequirement> avoid(PodSpec before, Set<String> avoidNodes) {
        Set<String> names = new TreeSet<>(avoidNodes);
        Stream.ofNullable(before.getAffinity())
                .flatMap(affinity -> Stream.ofNullable(affinity.getNodeAffinity()))
                .flatMap(node -> Stream.ofNullable(node.getRequiredDuringSchedulingIgnoredDuringExecution()))
                .flatMap(required -> required.getNodeSelectorTerms().stream())
                .flatMap(term -> term.getMatchFields().stream())
                .forEach(field -> names.addAll(field.getValues()));
        return names.stream()
                .map(name -> new NodeSelectorRequirementBuilder()
                        .withKey(NODE_NAME)
                        .withOperator("NotIn")
                        .withValues(name)
                        .build())
                .toList();
    }
}
