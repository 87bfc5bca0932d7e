package io.jenkins.plugins.tao.backend.kubernetes;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.backend.BackendException.Unreachable;
import io.jenkins.plugins.tao.backend.Tidying.Tidied;
import io.jenkins.plugins.tao.backend.kubernetes.api.KubernetesApi;
import io.jenkins.plugins.tao.backend.kubernetes.options.KubernetesNames;
import io.jenkins.plugins.tao.backend.kubernetes.options.KubernetesNames.Reference;
import io.jenkins.plugins.tao.backend.kubernetes.request.FetchPodRequest;
import io.jenkins.plugins.tao.backend.kubernetes.view.JobView;
import io.jenkins.plugins.tao.backend.kubernetes.view.PodView;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Removes Jobs whose submission broke off and was never finished: they stay suspended for ever, with their Secrets. What
 * is younger than {@link #AGE} may still be on its way; what runs or has run is never touched.
 */
record Unfinished(KubernetesApi api) {
    /** Longer than a submission is repeated. */
    static final Duration AGE = Duration.ofHours(2);

    private static final int MOST = 100;

    Tidied tidy(String namespace, boolean dryRun) throws BackendException {
        List<Job> jobs = api.lists().jobs(namespace, Set.of());
        Optional<Instant> now = api.now();
        if (now.isEmpty()) {
            throw new Unreachable(
                    "The cluster did not say what time it is, so the age of its Jobs is not known.", "Try again.");
        }
        List<String> removed = new ArrayList<>();
        for (Job job : jobs) {
            if (isLeft(JobView.of(job), now.get()) && removed.size() < MOST) {
                removed.add(job.getMetadata().getAnnotations().getOrDefault(KubernetesNames.KEY, "?"));
                remove(job, dryRun);
            }
        }
        removed.addAll(pods(namespace, now.get(), dryRun));
        return new Tidied(removed, 0, removed.size() >= MOST);
    }

    /** Pods that read a volume, for somebody who broke off: those that have ended, or should have. */
    private List<String> pods(String namespace, Instant now, boolean dryRun) throws BackendException {
        List<String> removed = new ArrayList<>();
        for (Pod pod : api.fetchPods().all(namespace)) {
            PodView view = new PodView(pod);
            boolean late = view.createdAt()
                    .map(made -> made.plus(FetchPodRequest.LIMIT).isBefore(now))
                    .orElse(false);
            if (view.isOver() || late) {
                removed.add("pod " + view.name());
                if (!dryRun) {
                    api.fetchPods().delete(Reference.of(pod));
                }
            }
        }
        return removed;
    }

    private static boolean isLeft(JobView view, Instant now) {
        boolean old = PodView.time(view.job().getMetadata().getCreationTimestamp())
                .map(made -> made.plus(AGE).isBefore(now))
                .orElse(false);
        return old
                && view.isSuspended()
                && view.active() == 0
                && view.note(KubernetesNames.HELD).equals(Optional.of("true"))
                && view.job().getMetadata().getDeletionTimestamp() == null;
    }

    /** Read once more: the list comes out of a cache, and its submission may have been finished meanwhile. */
    private void remove(Job listed, boolean dryRun) throws BackendException {
        Reference at = Reference.of(listed);
        Optional<Job> now = api.job(at)
                .filter(job ->
                        job.getMetadata().getUid().equals(listed.getMetadata().getUid()))
                .filter(job -> JobView.of(job).isSuspended()
                        && JobView.of(job).note(KubernetesNames.HELD).equals(Optional.of("true")));
        if (now.isPresent() && !dryRun) {
            api.delete(at);
        }
    }
}
