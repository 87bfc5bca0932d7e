package io.jenkins.plugins.tao.backend.lepton;

import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.backend.lepton.api.LeptonApi;
import io.jenkins.plugins.tao.backend.lepton.api.LeptonSecrets;
import io.jenkins.plugins.tao.backend.lepton.logs.LeptonLog;
import io.jenkins.plugins.tao.backend.lepton.request.LeptonAnalysis;
import io.jenkins.plugins.tao.backend.lepton.request.LeptonJob;
import io.jenkins.plugins.tao.backend.lepton.view.LeptonReplica;
import io.jenkins.plugins.tao.http.PartFailures;
import io.jenkins.plugins.tao.job.Ending;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.JobState;
import io.jenkins.plugins.tao.job.JobStatus;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/**
 * What jobs that have ended tell: why, and with which exit code. What does not change any more is asked once; what cannot
 * be asked is asked again for a few looks, then the end is reported without it. Used by one thread at a time.
 */
final class LeptonEnds {
    /** A failure waits so many looks for its cause: on that depends whether it is tried again. */
    private static final int LOOKS_FOR_THE_CAUSE = 3;

    private static final int LOOKS_AT_THE_STORE = 3;

    private final LeptonApi api;
    private final PartFailures failures;
    private final LeptonSubmission attempts;
    private final LeptonSecrets secrets;
    private final Map<String, JobStatus> known = new HashMap<>();
    private final Set<String> tidied = new HashSet<>();

    LeptonEnds(LeptonApi api, PartFailures failures, LeptonSubmission attempts) {
        this.api = api;
        this.attempts = attempts;
        this.failures = failures;
        secrets = new LeptonSecrets(api);
    }

    /** The status of a job that the service says has ended. */
    JobStatus of(JobHandle handle, LeptonJob job, JobStatus status) {
        JobStatus end = known.get(job.id());
        if (end == null) {
            end = explained(handle, job, status);
            if (end.state() != JobState.ENDED) {
                return end;
            }
            known.put(job.id(), end);
        }
        if (end.exitCode().isEmpty() && needsExitCode(end)) {
            OptionalInt code = exitCode(handle, job);
            if (code.isPresent()) {
                end = end.withExitCode(code.getAsInt());
                known.put(job.id(), end);
            }
        }
        tidy(job);
        return end;
    }

    void forgetAllBut(Collection<String> ids) {
        known.keySet().retainAll(ids);
        tidied.retainAll(ids);
    }

    private static boolean needsExitCode(JobStatus status) {
        Ending ending = status.ending().orElse(Ending.UNKNOWN);
        return ending == Ending.COMPLETED || ending == Ending.FAILED || ending == Ending.UNKNOWN;
    }

    private OptionalInt exitCode(JobHandle handle, LeptonJob job) {
        try {
            boolean patient = failures.times(job.id(), LeptonBackend.LOG) < LOOKS_AT_THE_STORE;
            return new LeptonLog(api).exitCode(handle, job.workers(), patient);
        } catch (BackendException e) {
            failures.failed(job.id(), LeptonBackend.LOG, e);
            return OptionalInt.empty();
        }
    }

    /** The end of an attempt that another follows: whoever watches it goes on with that one. */
    static JobStatus followed(JobHandle handle, JobStatus status) {
        return JobStatus.ended(Ending.NODE_FAILURE, status.nativeState())
                .withTimes(status.startedAt(), status.endedAt())
                .withRuns(status.runs())
                .withReason("attempt " + (handle.attempt() + 1) + " takes its place");
    }

    /** A failure is analysed before anybody decides whether to try again, and one that was stopped may have made room for the next. */
    private JobStatus explained(JobHandle handle, LeptonJob job, JobStatus status) {
        boolean stopped = status.ending().equals(Optional.of(Ending.CANCELLED));
        boolean failed = status.ending().equals(Optional.of(Ending.FAILED)) || stopped;
        try {
            if (stopped && attempts.find(handle.key(), handle.attempt() + 1).isPresent()) {
                return followed(handle, status);
            }
            List<LeptonReplica> own = api.replicas(job.id());
            JobStatus placed = status.withNodes(LeptonPlacement.nodes(own));
            JobStatus end = failed && !stopped ? analysed(handle, job, placed, own) : placed;
            failures.worked(job.id(), LeptonBackend.CAUSE);
            return end;
        } catch (BackendException e) {
            String part = failed ? LeptonBackend.CAUSE : LeptonBackend.REPLICAS;
            failures.failed(job.id(), part, e);
            boolean wait = failed && failures.times(job.id(), part) < LOOKS_FOR_THE_CAUSE;
            return wait
                    ? JobStatus.live(JobState.RUNNING, status.nativeState())
                            .withRuns(status.runs())
                            .withReason("why it ended cannot be read yet")
                    : status;
        }
    }

    private JobStatus analysed(JobHandle handle, LeptonJob job, JobStatus status, List<LeptonReplica> own)
            throws BackendException {
        LeptonAnalysis analysis = LeptonAnalysis.of(
                new LeptonAnalysis.Evidence(job, handle.attempt(), own, api.events(job.id()), List.of()));
        return analysis.ending()
                .map(ending -> JobStatus.ended(ending, status.nativeState())
                        .withNodes(status.nodes())
                        .withTimes(status.startedAt(), status.endedAt())
                        .withRuns(status.runs())
                        .withReason(analysis.summary() + " " + analysis.remedy()))
                .orElse(status);
    }

    /** The job's own secrets go when it has ended; what cannot go now is tried in the next round, and hides no state. */
    private void tidy(LeptonJob job) {
        if (!tidied.contains(job.id()) && secrets.remove(job.ownSecrets().values())) {
            tidied.add(job.id());
        }
    }
}
