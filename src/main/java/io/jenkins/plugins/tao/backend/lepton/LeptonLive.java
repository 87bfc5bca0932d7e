package io.jenkins.plugins.tao.backend.lepton;

import io.jenkins.plugins.tao.backend.LiveJobs.Found;
import io.jenkins.plugins.tao.backend.LiveJobs.Look;
import io.jenkins.plugins.tao.backend.lepton.options.LeptonTarget;
import io.jenkins.plugins.tao.backend.lepton.request.LeptonJob;
import io.jenkins.plugins.tao.backend.lepton.request.LeptonRequest;
import io.jenkins.plugins.tao.backend.lepton.request.LeptonState;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.JobKey;
import io.jenkins.plugins.tao.job.JobState;
import io.jenkins.plugins.tao.spec.FilledJob;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The jobs with the label of one target that live. Pure. */
final class LeptonLive {
    private LeptonLive() {}

    static Look of(LeptonTarget target, List<LeptonJob> alive) {
        List<Found> jobs = new ArrayList<>();
        List<String> gaps = new ArrayList<>();
        for (LeptonJob job : alive) {
            if (LeptonState.read(job).state() != JobState.ENDED) {
                Optional<Found> found = found(target, job);
                found.ifPresentOrElse(
                        jobs::add,
                        () -> gaps.add("Job " + job.id() + " of target '" + target.name()
                                + "' has lost its labels or variables: look at it in the dashboard."));
            }
        }
        return new Look(jobs, gaps);
    }

    private static Optional<Found> found(LeptonTarget target, LeptonJob job) {
        Optional<String> key = job.variable(FilledJob.JOB_ID);
        Optional<String> results = job.variable(FilledJob.RESULTS_DIR);
        String attempt = job.label(LeptonRequest.ATTEMPT_LABEL);
        if (key.isEmpty() || results.isEmpty() || !attempt.matches("[1-9]\\d{0,5}")) {
            return Optional.empty();
        }
        JobHandle handle = new JobHandle(
                target.name(),
                LeptonType.NAME,
                new JobKey(key.get()),
                Integer.parseInt(attempt),
                job.id(),
                results.get(),
                results.get(),
                job.createdAt().orElse(Instant.EPOCH));
        String state = job.state().isEmpty() ? "Queueing" : job.state();
        return Optional.of(new Found(
                handle,
                state,
                Optional.of(job.label(LeptonRequest.CONTROLLER_LABEL)).filter(id -> !id.isEmpty())));
    }
}
