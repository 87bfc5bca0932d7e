package io.jenkins.plugins.tao.backend.kubernetes.request;

import io.fabric8.kubernetes.api.model.Affinity;
import io.fabric8.kubernetes.api.model.AffinityBuilder;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.NodeSelector;
import io.fabric8.kubernetes.api.model.NodeSelectorRequirement;
import io.fabric8.kubernetes.api.model.NodeSelectorRequirementBuilder;
import io.fabric8.kubernetes.api.model.NodeSelectorTerm;
import io.fabric8.kubernetes.api.model.NodeSelectorTermBuilder;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.PodSpecBuilder;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.batch.v1.JobBuilder;
import io.jenkins.plugins.tao.backend.kubernetes.options.KubernetesNames;
import io.jenkins.plugins.tao.backend.kubernetes.options.MemberIndices;
import io.jenkins.plugins.tao.backend.kubernetes.view.JobView;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Makes the Job of a further attempt out of the one before: everything as it was asked for, with another name and the nodes to avoid.
 * What the server, a queue or we wrote into the one before is left out. While that one has not ended, the next is held. Pure.
 */
public final class AttemptRequest {
    private static final String NODE_NAME = "metadata.name";
    private static final String HOST_NAME = "kubernetes.io/hostname";
    /** What the server put there and will put there again. */
    private static final Set<String> SERVERS =
            Set.of("controller-uid", "job-name", "batch.kubernetes.io/controller-uid", "batch.kubernetes.io/job-name");

    private AttemptRequest() {}

    /** The Job of attempt {@code number}, called {@code name}. */
    public static Job render(Job previous, int number, String name, Set<String> avoidNodes) {
        String oldName = previous.getMetadata().getName();
        boolean kueue = previous.getMetadata().getLabels().containsKey(KubernetesNames.QUEUE);
        Job job = new JobBuilder(previous)
                .withNewMetadata()
                .withName(name)
                .withNamespace(previous.getMetadata().getNamespace())
                .withLabels(labels(previous.getMetadata().getLabels(), number))
                .withAnnotations(annotations(previous.getMetadata().getAnnotations(), avoidNodes))
                .endMetadata()
                .withStatus(null)
                .build();
        job.getSpec().setSelector(null);
        job.getSpec().setManualSelector(null);
        JobView before = JobView.of(previous);
        if (before.isEndedByUs()) {
            job.getSpec().setActiveDeadlineSeconds(null); // by one second we ended it
        }
        QueueTraces.remove(job);
        Optional<MemberIndices> rest = before.members().map(all -> rest(previous, all));
        rest.ifPresent(members -> onlyMembers(job, previous, members));
        var metadata = job.getSpec().getTemplate().getMetadata();
        metadata.setLabels(labels(metadata.getLabels(), number));
        if (metadata.getAnnotations() != null) {
            metadata.getAnnotations().computeIfPresent(JobRequest.VOLCANO_GROUP, (key, group) -> name);
        }
        PodSpec pod = pod(job.getSpec().getTemplate().getSpec(), oldName, name);
        rest.ifPresent(members -> tellMembers(pod, members));
        job.getSpec().getTemplate().setSpec(pod);
        avoid(pod, avoided(previous), avoidNodes);
        boolean company = !CompanionRequest.of(job, Map.of()).isEmpty() || refersToSecrets(job, name);
        boolean held = company || rest.isPresent() || !before.isOver();
        job.getSpec().setSuspend((held || kueue) ? true : null);
        if (held) {
            job.getMetadata().getAnnotations().put(KubernetesNames.HELD, "true");
        }
        return job;
    }

    /** The members that the attempt before did not complete. */
    public static MemberIndices rest(Job previous, MemberIndices members) {
        return members.without(members.at(JobView.of(previous).completed()));
    }

    /** Completion indices begin at 0 in each Job: which members they stand for is noted, and told to the pods. */
    private static void onlyMembers(Job job, Job previous, MemberIndices rest) {
        Map<String, String> notes = job.getMetadata().getAnnotations();
        MemberIndices done = MemberIndices.parse(notes.get(KubernetesNames.MEMBERS_DONE))
                .and(MemberIndices.parse(notes.get(KubernetesNames.MEMBERS)).without(rest));
        notes.put(KubernetesNames.MEMBERS, rest.render());
        notes.put(KubernetesNames.MEMBERS_DONE, done.render());
        int count = rest.list().size();
        job.getSpec().setCompletions(count);
        job.getSpec().setParallelism(Math.min(count, JobView.of(previous).expectedPods()));
    }

    private static void tellMembers(PodSpec pod, MemberIndices members) {
        List<EnvVar> env = new ArrayList<>(pod.getContainers().get(0).getEnv());
        env.removeIf(each -> each.getName().equals(KubernetesNames.MEMBERS_VARIABLE));
        String words = members.list().stream().map(String::valueOf).collect(Collectors.joining(" "));
        env.add(new EnvVar(KubernetesNames.MEMBERS_VARIABLE, words, null));
        pod.getContainers().get(0).setEnv(env);
    }

    /** The Job of a first attempt on other nodes than {@code avoidNodes}. A node that the job asks for by its name stays. */
    public static Job avoiding(Job first, Set<String> avoidNodes) {
        Set<String> nodes = new TreeSet<>(avoidNodes);
        Map<String, String> selector = first.getSpec().getTemplate().getSpec().getNodeSelector();
        if (selector != null) {
            nodes.remove(selector.getOrDefault(HOST_NAME, ""));
        }
        if (nodes.isEmpty()) {
            return first;
        }
        Job job = new JobBuilder(first)
                .editMetadata()
                .withAnnotations(annotated(first.getMetadata().getAnnotations(), nodes))
                .endMetadata()
                .build();
        avoid(job.getSpec().getTemplate().getSpec(), Set.of(), nodes);
        return job;
    }

    private static Map<String, String> annotated(Map<String, String> before, Set<String> avoidNodes) {
        Map<String, String> notes = new LinkedHashMap<>(before);
        notes.put(KubernetesNames.AVOIDED, String.join(",", new TreeSet<>(avoidNodes)));
        return notes;
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

    private static Map<String, String> annotations(Map<String, String> before, Set<String> avoidNodes) {
        Map<String, String> notes = new LinkedHashMap<>(before);
        if (avoidNodes.isEmpty()) {
            notes.remove(KubernetesNames.AVOIDED);
        } else {
            notes.put(KubernetesNames.AVOIDED, String.join(",", new TreeSet<>(avoidNodes)));
        }
        notes.remove(KubernetesNames.ENDED);
        notes.remove(KubernetesNames.FINISHED);
        notes.remove(KubernetesNames.CANCELLED);
        notes.remove(KubernetesNames.HELD);
        notes.keySet().removeIf(name -> name.startsWith("batch.kubernetes.io/"));
        return notes;
    }

    private static PodSpec pod(PodSpec before, String oldName, String name) {
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
        return pod.build();
    }

    /** The nodes that the attempt before avoids because of failures. What its user excludes is not among them. */
    private static Set<String> avoided(Job previous) {
        String names = previous.getMetadata().getAnnotations().getOrDefault(KubernetesNames.AVOIDED, "");
        return Set.copyOf(List.of(names.split(",")));
    }

    private static void avoid(PodSpec pod, Set<String> before, Set<String> now) {
        List<NodeSelectorTerm> terms = terms(pod, before, now);
        boolean first = pod.getAffinity() == null
                || pod.getAffinity().getNodeAffinity() == null
                || pod.getAffinity().getNodeAffinity().getRequiredDuringSchedulingIgnoredDuringExecution() == null;
        if (now.isEmpty() && first) {
            return;
        }
        NodeSelector required = terms.isEmpty() ? null : new NodeSelector(terms);
        pod.setAffinity(new AffinityBuilder(pod.getAffinity() == null ? new Affinity() : pod.getAffinity())
                .editOrNewNodeAffinity()
                .withRequiredDuringSchedulingIgnoredDuringExecution(required)
                .endNodeAffinity()
                .build());
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

    /** The job's own terms, of which one must hold, each without the nodes to avoid. A term without a condition matches no node. */
    private static List<NodeSelectorTerm> terms(PodSpec pod, Set<String> before, Set<String> now) {
        List<NodeSelectorTerm> own = Stream.ofNullable(pod.getAffinity())
                .flatMap(affinity -> Stream.ofNullable(affinity.getNodeAffinity()))
                .flatMap(node -> Stream.ofNullable(node.getRequiredDuringSchedulingIgnoredDuringExecution()))
                .flatMap(required -> required.getNodeSelectorTerms().stream())
                .toList();
        return (own.isEmpty() ? List.of(new NodeSelectorTerm()) : own)
                .stream()
                        .map(term -> avoiding(term, before, now))
                        .filter(term -> !term.getMatchFields().isEmpty()
                                || !term.getMatchExpressions().isEmpty())
                        .toList();
    }

    /** The API takes one name in each of these. */
    private static NodeSelectorTerm avoiding(NodeSelectorTerm term, Set<String> before, Set<String> now) {
        Set<String> names = new TreeSet<>(now);
        List<NodeSelectorRequirement> others = new ArrayList<>();
        for (NodeSelectorRequirement field : term.getMatchFields()) {
            if (NODE_NAME.equals(field.getKey()) && "NotIn".equals(field.getOperator())) {
                field.getValues().stream()
                        .filter(name -> !before.contains(name))
                        .forEach(names::add);
            } else {
                others.add(field);
            }
        }
        names.forEach(name -> others.add(new NodeSelectorRequirementBuilder()
                .withKey(NODE_NAME)
                .withOperator("NotIn")
                .withValues(name)
                .build()));
        return new NodeSelectorTermBuilder(term).withMatchFields(others).build();
    }
}
