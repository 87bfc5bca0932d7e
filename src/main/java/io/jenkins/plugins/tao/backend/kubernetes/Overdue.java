package io.jenkins.plugins.tao.backend.kubernetes;

import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.backend.BackendException.Unreachable;
import io.jenkins.plugins.tao.backend.kubernetes.api.KubernetesApi;
import io.jenkins.plugins.tao.backend.kubernetes.options.KubernetesNames;
import io.jenkins.plugins.tao.backend.kubernetes.options.KubernetesNames.Reference;
import io.jenkins.plugins.tao.backend.kubernetes.status.DeadlineReply;
import io.jenkins.plugins.tao.backend.kubernetes.status.SideContainers;
import io.jenkins.plugins.tao.backend.kubernetes.view.JobView;
import io.jenkins.plugins.tao.job.JobHandle;
import java.util.Optional;
import java.util.function.Function;

/**
 * Ends a Job that a round found past its deadline. Job and pods are read once more, past all caches, and the Job is ended
 * only if it is still as it was read: a running gang is ended by no list that failed, was refused or lags behind.
 */
record Overdue(KubernetesApi api, KubernetesSubmission submission) {
    void end(JobHandle handle) throws BackendException {
        end(handle, KubernetesNames.ENDED, DeadlineReply::overdue);
    }

    /** Ends a Job whose course is run, as {@link #course} says. */
    void finish(JobHandle handle, boolean logRead) throws BackendException {
        end(handle, KubernetesNames.FINISHED, view -> course(view, logRead));
    }

    /**
     * How the command has ended whose side containers hold its pods, once their logs are read or do not come; or that its time
     * is up. Empty while it may go on.
     */
    static Optional<String> course(JobView view, boolean logRead) {
        return SideContainers.mayEnd(view, logRead)
                ? Optional.of(SideContainers.note(view))
                : DeadlineReply.timeLimit(view);
    }

    private void end(JobHandle handle, String note, Function<JobView, Optional<String>> reason)
            throws BackendException {
        Reference at = Reference.of(handle);
        Optional<Job> job = api.job(at).filter(read -> KubernetesNames.isOf(read, handle));
        if (job.isEmpty()) {
            return;
        }
        JobView view = KubernetesBackend.view(api, job.get());
        Optional<String> why = reason.apply(view);
        if (why.isEmpty()) {
            return;
        }
        try {
            submission.end(job.get(), note, why.get());
        } catch (Unreachable e) {
            return; // the Job has changed meanwhile, or the server is busy: the next round looks again
        }
    }
}
