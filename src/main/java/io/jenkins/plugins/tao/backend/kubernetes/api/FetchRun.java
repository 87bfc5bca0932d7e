package io.jenkins.plugins.tao.backend.kubernetes.api;

import io.fabric8.kubernetes.api.model.Pod;
import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.backend.kubernetes.options.KubernetesNames.Reference;
import io.jenkins.plugins.tao.backend.kubernetes.request.FetchPlace;
import io.jenkins.plugins.tao.backend.kubernetes.request.FetchPodRequest;
import io.jenkins.plugins.tao.backend.kubernetes.view.PodView;
import io.jenkins.plugins.tao.job.text.Fingerprint;
import io.jenkins.plugins.tao.remote.host.ExecHost;
import java.io.OutputStream;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Predicate;

/** The pods of one reading of a volume: each is deleted whatever becomes of it, also one whose making was not answered. */
public final class FetchRun {
    private static final int DIGITS = 10;

    private final KubernetesApi api;
    private final FetchPods pods;
    private final FetchPlace place;
    private final Terms terms;
    private final Consumer<String> notes;

    /**
     * What holds for all of them.
     *
     * @param controller who asks
     * @param looks how often a pod is looked at until it runs
     * @param pause what lies between two looks
     * @param made how many pods were made, so that no two have one name
     */
    public record Terms(String controller, int looks, Pause pause, AtomicLong made) {}

    /** Lets some time pass. */
    @FunctionalInterface
    public interface Pause {
        /** False when the wait is over, because this thread was asked to end. */
        boolean take();
    }

    /** {@code notes} takes what a person should know. */
    public FetchRun(KubernetesApi api, FetchPlace place, Terms terms, Consumer<String> notes) {
        this.api = api;
        this.pods = api.fetchPods();
        this.place = place;
        this.terms = terms;
        this.notes = notes;
    }

    public String name() {
        return place.volume().getPersistentVolumeClaim() == null
                ? "the volume at " + place.mount().getMountPath()
                : "claim " + place.volume().getPersistentVolumeClaim().getClaimName();
    }

    /** Whether the account is permitted to run programs in pods; newer servers ask for another verb as well. */
    public boolean mayExec() throws BackendException {
        Optional<String> namespace = Optional.of(place.namespace());
        return api.may("get", "/pods/exec", namespace) && api.may("create", "/pods/exec", namespace);
    }

    /** Makes a pod. */
    public Reference start(List<String> command) throws BackendException {
        while (true) {
            String words =
                    terms.controller() + " " + api.now() + " " + terms.made().incrementAndGet();
            Reference pod = new Reference(place.namespace(), "tao-fetch-" + Fingerprint.of(words, DIGITS));
            try {
                if (pods.create(FetchPodRequest.render(place, pod.name(), terms.controller(), command))) {
                    return pod;
                }
            } catch (BackendException.Unreachable e) {
                end(pod); // it may have been made all the same
                throw e;
            }
        }
    }

    /** Waits until it runs. */
    public Pod await(Reference pod, Predicate<PodView> reached) throws BackendException {
        return pods.await(pod, reached, terms.looks(), terms.pause());
    }

    /** Waits until it is over; it ends by itself. */
    public Pod awaitEnd(Reference pod) throws BackendException {
        await(pod, view -> view.isRunning() || view.isOver());
        return pods.await(pod, PodView::isOver, Integer.MAX_VALUE, terms.pause());
    }

    public PodLogs.PodLog log(Reference pod) {
        return api.podLogs().whole(pod);
    }

    public ExecHost.Started exec(Reference pod, List<String> words, byte[] input, OutputStream err)
            throws BackendException {
        return pods.exec(pod, words, input, err);
    }

    /** Deletes it. One that cannot be deleted is told: it ends by itself, and {@code ./tao clean} removes it. */
    public void end(Reference pod) {
        try {
            pods.delete(pod);
        } catch (BackendException e) {
            notes.accept("the pod " + pod + " could not be deleted: " + e.getMessage() + " It ends within "
                    + FetchPodRequest.LIMIT.toHours() + " h, and './tao clean' removes it.");
        }
    }
}
