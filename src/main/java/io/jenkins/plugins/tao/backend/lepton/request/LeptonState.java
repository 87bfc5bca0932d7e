package io.jenkins.plugins.tao.backend.lepton.request;

import io.jenkins.plugins.tao.job.Ending;
import io.jenkins.plugins.tao.job.Endings;
import io.jenkins.plugins.tao.job.JobState;
import io.jenkins.plugins.tao.job.JobStatus;
import java.util.Locale;
import java.util.Optional;

/**
 * Lepton's words for the state of a job in ours. A job that has run is never told as waiting for the first time again.
 *
 * @see <a href="https://docs.nvidia.com/dgx-cloud/lepton/">DGX Cloud Lepton</a>, states of batch jobs, read 2026
 */
public final class LeptonState {
    private LeptonState() {}

    public static JobStatus read(LeptonJob job) {
        String word = job.state();
        JobStatus status = base(job, word)
                .withTimes(job.startedAt(), job.endedAt())
                .withRuns(Math.max(0, hasRun(word) ? job.runs() : job.runs() - 1));
        return status.state() == JobState.ENDED
                ? status
                : status.withTimes(
                        status.state() == JobState.PENDING ? Optional.empty() : job.startedAt(), Optional.empty());
    }

    private static JobStatus base(LeptonJob job, String word) {
        return switch (word) {
            case "" -> JobStatus.live(JobState.PENDING, "").withReason("just taken");
            case "Queueing", "Awaiting" -> JobStatus.live(JobState.PENDING, word);
            case "Starting" ->
                job.runs() > 1
                        ? JobStatus.live(JobState.RUNNING, word).withReason("starting again")
                        : JobStatus.live(JobState.PENDING, word);
            case "Running" -> running(job);
            case "Restarting", "PendingRetry" ->
                JobStatus.live(JobState.RUNNING, word).withReason("restarting");
            case "Stopping", "Terminating", "Deleting" ->
                JobStatus.live(JobState.RUNNING, word).withReason("stopping");
            case "Archived" -> archived(job);
            default ->
                Endings.of("lepton", word)
                        .map(ending -> ended(ending, word))
                        .orElseGet(() -> JobStatus.live(JobState.UNCLEAR, word));
        };
    }

    private static JobStatus ended(Ending ending, String word) {
        return ending == Ending.CANCELLED
                ? JobStatus.ended(ending, word).withReason(word.toLowerCase(Locale.ROOT) + " in the workspace")
                : JobStatus.ended(ending, word);
    }

    private static JobStatus running(LeptonJob job) {
        if (job.active() > 0 && job.ready() < job.active()) {
            JobState state = job.ready() == 0 && job.runs() == 1 ? JobState.PENDING : JobState.RUNNING;
            return JobStatus.live(state, "Running")
                    .withReason(job.ready() + " of " + job.active() + " workers are ready");
        }
        return JobStatus.live(JobState.RUNNING, "Running");
    }

    /** Archived says only that it is over; how, its counters tell. */
    private static JobStatus archived(LeptonJob job) {
        if (job.succeeded() >= job.workers()) {
            return JobStatus.ended(Ending.COMPLETED, "Archived");
        }
        if (job.failed() > 0) {
            return JobStatus.ended(Ending.FAILED, "Archived");
        }
        return job.stopped()
                ? JobStatus.ended(Ending.CANCELLED, "Archived").withReason("stopped in the workspace")
                : JobStatus.ended(Ending.UNKNOWN, "Archived");
    }

    private static boolean hasRun(String word) {
        return switch (word) {
            case "", "Queueing", "Awaiting", "Starting" -> false;
            default -> true;
        };
    }
}
