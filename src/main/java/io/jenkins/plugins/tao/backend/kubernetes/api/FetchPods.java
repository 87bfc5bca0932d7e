package io.jenkins.plugins.tao.backend.kubernetes.api;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.PodResource;
import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.backend.BackendException.Rejected;
import io.jenkins.plugins.tao.backend.BackendException.Unreachable;
import io.jenkins.plugins.tao.backend.kubernetes.options.KubernetesNames;
import io.jenkins.plugins.tao.backend.kubernetes.options.KubernetesNames.Reference;
import io.jenkins.plugins.tao.backend.kubernetes.request.PodProgram;
import io.jenkins.plugins.tao.backend.kubernetes.view.FetchTrouble;
import io.jenkins.plugins.tao.backend.kubernetes.view.PodView;
import io.jenkins.plugins.tao.remote.host.ExecHost;
import java.io.OutputStream;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/** Requests about the pods that read volumes for us. */
public record FetchPods(KubernetesClient client, ApiCalls calls) {
    private PodResource at(Reference pod) {
        return client.pods().inNamespace(pod.namespace()).withName(pod.name());
    }

    /** Makes the pod; false if there is one of that name. */
    boolean create(Pod pod) throws BackendException {
        return calls.create(
                        "create the pod '" + pod.getMetadata().getName() + "' that reads the volume",
                        () -> client.pods()
                                .inNamespace(pod.getMetadata().getNamespace())
                                .resource(pod)
                                .create())
                .isPresent();
    }

    /**
     * Waits until {@code reached} holds, or it cannot any more. It is listed again and again: a watch would need another right.
     *
     * @param looks how often it is looked at
     */
    Pod await(Reference pod, Predicate<PodView> reached, int looks, FetchRun.Pause pause) throws BackendException {
        Optional<Pod> last = Optional.empty();
        for (int look = 0; look < looks; look++) {
            Optional<Pod> now = all(pod.namespace()).stream()
                    .filter(each -> each.getMetadata().getName().equals(pod.name()))
                    .findFirst();
            boolean gone = now.isEmpty() && last.isPresent(); // the first list may lag behind its making
            if (now.map(each -> reached.test(new PodView(each))).orElse(false)) {
                return now.get();
            }
            last = now;
            if (gone || now.flatMap(FetchTrouble::of).isPresent() || !pause.take()) {
                break;
            }
        }
        throw trouble(pod, last);
    }

    private static BackendException trouble(Reference pod, Optional<Pod> found) {
        String what = "The pod '" + pod + "' that was to read the volume ";
        if (found.isEmpty()) {
            return new Unreachable(
                    what + "was taken away before it ran: somebody deleted or evicted it.", "Fetch again.");
        }
        return new Rejected(
                what
                        + FetchTrouble.of(found.get())
                                .orElseGet(() -> "did not run in time: " + FetchTrouble.waiting(found.get())),
                "Fix that, then fetch again; the files stay on the volume. To use another image, set fetchImage of the target.");
    }

    /** Deletes the pod; one that is gone is fine. */
    public void delete(Reference pod) throws BackendException {
        calls.ask(
                "delete the pod '" + pod + "'",
                () -> at(pod).withGracePeriod(1L).delete());
    }

    /** All of them in a namespace, whoever made them. */
    public List<Pod> all(String namespace) throws BackendException {
        return calls.all(
                "list pods in namespace '" + namespace + "'",
                mark -> client.pods()
                        .inNamespace(namespace)
                        .withLabel(KubernetesNames.MANAGED_BY, KubernetesNames.OURS)
                        .withLabel(KubernetesNames.FETCH)
                        .list(ApiLists.marked(mark)));
    }

    /** Starts a program in a pod. */
    ExecHost.Started exec(Reference pod, List<String> words, byte[] input, OutputStream err) throws BackendException {
        return calls.ask(
                "run a program in the pod '" + pod + "'",
                () -> PodProgram.start(at(pod), pod, words.toArray(String[]::new), input, err));
    }
}
