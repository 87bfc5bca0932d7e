package io.jenkins.plugins.tao.backend.kubernetes;

import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.backend.LiveJobs.Found;
import io.jenkins.plugins.tao.backend.LiveJobs.Look;
import io.jenkins.plugins.tao.backend.kubernetes.api.KubernetesApi;
import io.jenkins.plugins.tao.backend.kubernetes.options.KubernetesNames;
import io.jenkins.plugins.tao.backend.kubernetes.options.KubernetesTarget;
import io.jenkins.plugins.tao.backend.kubernetes.view.JobView;
import io.jenkins.plugins.tao.backend.kubernetes.view.PodView;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.JobKey;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The Jobs of one namespace that carry our label and are not over. */
record KubernetesLive(KubernetesTarget target, KubernetesApi api) {
    Look look(String namespace) throws BackendException {
        List<Found> jobs = new ArrayList<>();
        List<String> gaps = new ArrayList<>();
        for (Job job : api.lists().jobs(namespace, Set.of())) {
            JobView view = JobView.of(job);
            if (!view.isOver() && job.getMetadata().getDeletionTimestamp() == null) {
                Optional<Found> found = found(view);
                found.ifPresentOrElse(
                        jobs::add,
                        () -> gaps.add("The Job " + namespace + "/"
                                + job.getMetadata().getName()
                                + " has our label and not the notes that belong to it: look at it with kubectl."));
            }
        }
        return new Look(jobs, gaps);
    }

    private Optional<Found> found(JobView view) {
        Job job = view.job();
        Optional<String> key = view.note(KubernetesNames.KEY);
        String attempt = job.getMetadata().getLabels().getOrDefault(KubernetesNames.ATTEMPT, "");
        Optional<Instant> made = PodView.time(job.getMetadata().getCreationTimestamp());
        if (key.isEmpty() || made.isEmpty() || !attempt.matches("[1-9]\\d{0,5}")) {
            return Optional.empty();
        }
        JobHandle handle = KubernetesSubmission.handle(
                target,
                job,
                new JobKey(key.get()),
                Integer.parseInt(attempt),
                view.note(KubernetesNames.RESULTS).orElse(""),
                made.get());
        String state = view.isSuspended() ? "Suspended" : view.active() > 0 ? "Active" : "Waiting";
        return Optional.of(new Found(handle, state, view.note(KubernetesNames.CONTROLLER)));
    }
}
