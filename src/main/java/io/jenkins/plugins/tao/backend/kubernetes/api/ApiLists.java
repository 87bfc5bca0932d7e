package io.jenkins.plugins.tao.backend.kubernetes.api;

import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.KubernetesResourceList;
import io.fabric8.kubernetes.api.model.ListOptions;
import io.fabric8.kubernetes.api.model.ListOptionsBuilder;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.scheduling.v1.PriorityClass;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.FilterWatchListDeletable;
import io.fabric8.kubernetes.client.dsl.NonNamespaceOperation;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.backend.kubernetes.options.KubernetesNames;
import io.jenkins.plugins.tao.backend.kubernetes.options.KubernetesNames.Reference;
import io.jenkins.plugins.tao.backend.kubernetes.view.Answer;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** The lists that a cluster is asked for. Those of a round come out of the server's watch cache: no load on its storage. */
public record ApiLists(KubernetesClient client, ApiCalls calls) {
    /** So many names fit in an address; of more jobs, all of ours are listed. */
    private static final int MOST_NAMES = 50;

    /** So many requests for events cost less than all events of a namespace. */
    private static final int FEW = 3;

    /**
     * Our Jobs in {@code namespace}.
     *
     * @param names the jobs that matter, by their label; where they are too many, others come along
     */
    public List<Job> jobs(String namespace, Set<String> names) throws BackendException {
        return calls.all(
                "list Jobs in namespace '" + namespace + "'",
                mark -> ours(client.batch().v1().jobs().inNamespace(namespace), names)
                        .list(cached(mark)));
    }

    /** The pods of our Jobs, with the same choice. */
    public Answer<Pod> pods(String namespace, Set<String> names) {
        return calls.list(
                "list pods in namespace '" + namespace + "'",
                mark -> ours(client.pods().inNamespace(namespace), names).list(cached(mark)));
    }

    /** The pods of one Job as they are stored, which the watch cache may lag behind. */
    public Answer<Pod> podsNow(Reference job) {
        return calls.list(
                "list the pods of the Job '" + job + "'",
                mark -> client.pods()
                        .inNamespace(job.namespace())
                        .withLabel(KubernetesNames.JOB_NAME, job.name())
                        .list(marked(mark)));
    }

    private static <T extends HasMetadata, L extends KubernetesResourceList<T>, R extends Resource<T>>
            FilterWatchListDeletable<T, L, R> ours(NonNamespaceOperation<T, L, R> all, Set<String> names) {
        FilterWatchListDeletable<T, L, R> ours = all.withLabel(KubernetesNames.MANAGED_BY, KubernetesNames.OURS);
        if (names.size() == 1) {
            return ours.withLabel(KubernetesNames.JOB, names.iterator().next());
        }
        return names.isEmpty() || names.size() > MOST_NAMES
                ? ours
                : ours.withLabelIn(KubernetesNames.JOB, names.stream().sorted().toArray(String[]::new));
    }

    /**
     * What was said in {@code namespace}.
     *
     * @param about what it is about, as {@code Kind/name}; of a few, each is asked for separately
     */
    public Answer<Event> events(String namespace, Set<String> about) {
        String what = "list events in namespace '" + namespace + "'";
        if (about.isEmpty() || about.size() > FEW) {
            return calls.list(
                    what, mark -> client.v1().events().inNamespace(namespace).list(cached(mark)));
        }
        Answer<Event> all = Answer.of(List.of());
        for (String subject : about) {
            String name = subject.substring(subject.indexOf('/') + 1);
            Answer<Event> some = calls.list(
                    what,
                    mark -> client.v1()
                            .events()
                            .inNamespace(namespace)
                            .withField("involvedObject.name", name)
                            .list(cached(mark)));
            if (some.listed().isEmpty()) {
                return some;
            }
            all = all.map(before ->
                    Stream.concat(before.stream(), some.orNone().stream()).toList());
        }
        return all;
    }

    public Answer<PersistentVolumeClaim> claims(String namespace) {
        return calls.list(
                "list claims in namespace '" + namespace + "'",
                mark -> client.persistentVolumeClaims().inNamespace(namespace).list(cached(mark)));
    }

    public Answer<PriorityClass> priorityClasses() {
        return calls.list(
                "list priority classes",
                mark -> client.scheduling().v1().priorityClasses().list(cached(mark)));
    }

    public Answer<GenericKubernetesResource> runtimeClasses() {
        return calls.list(
                "list runtime classes",
                mark -> client.genericKubernetesResources("node.k8s.io/v1", "RuntimeClass")
                        .list(marked(mark)));
    }

    public Answer<Node> nodes() {
        return calls.list("list nodes", mark -> client.nodes().list(cached(mark)));
    }

    public Answer<Pod> allPods() {
        return calls.list(
                "list pods of all namespaces",
                mark -> client.pods().inAnyNamespace().list(cached(mark)));
    }

    /**
     * Objects of a kind that the client library has no type for.
     *
     * @param version group and version, as in {@code kueue.x-k8s.io/v1beta1}
     */
    public Answer<GenericKubernetesResource> generic(String version, String kind, String namespace) {
        return calls.list(
                "list " + kind + "s in namespace '" + namespace + "'",
                mark -> client.genericKubernetesResources(version, kind)
                        .inNamespace(namespace)
                        .list(marked(mark)));
    }

    /** The next part of a list comes from where the first one came from, so it names no version. */
    private static ListOptions cached(String mark) {
        return marked(
                mark.isEmpty() ? new ListOptionsBuilder().withResourceVersion("0") : new ListOptionsBuilder(), mark);
    }

    static ListOptions marked(String mark) {
        return marked(new ListOptionsBuilder(), mark);
    }

    private static ListOptions marked(ListOptionsBuilder options, String mark) {
        return mark.isEmpty() ? options.build() : options.withContinue(mark).build();
    }
}
