package io.jenkins.plugins.tao.backend.kubernetes;

import io.jenkins.plugins.tao.job.Ending;
import io.jenkins.plugins.tao.job.JobState;
import io.jenkins.plugins.tao.job.JobStatus;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** What was last seen of Jobs, for those that are gone now: a deleted Job leaves nothing behind that could be asked. */
final class KubernetesMemory {
    private static final int MOST = 4096;

    private final Map<String, JobStatus> last = new LinkedHashMap<>();
    private final Map<String, Instant> keptUntil = new HashMap<>();
    private final Set<String> cancelled = new HashSet<>();

    synchronized void cancelled(String id) {
        cancelled.add(id);
    }

    synchronized boolean isCancelled(String id) {
        return cancelled.contains(id);
    }

    /**
     * Notes what was seen of a Job.
     *
     * @param until before which the cluster itself cannot have removed it; empty when that is not known
     */
    synchronized void saw(String id, JobStatus status, Optional<Instant> until) {
        last.remove(id);
        last.put(id, status);
        keptUntil.remove(id);
        until.ifPresent(time -> keptUntil.put(id, time));
        if (last.size() > MOST) {
            String oldest = last.keySet().iterator().next();
            last.remove(oldest);
            cancelled.remove(oldest);
            keptUntil.remove(oldest);
        }
    }

    /** Whether a Job that had not ended when it was seen last could not have ended and gone by itself until {@code now}. */
    synchronized boolean wasKept(String id, Optional<Instant> now) {
        Instant until = keptUntil.get(id);
        return until != null && now.isPresent() && now.get().isBefore(until);
    }

    /** What became of a Job that is not there any more; empty when nobody knows. */
    synchronized Optional<JobStatus> afterwards(String id) {
        if (cancelled.contains(id)) {
            return Optional.of(JobStatus.ended(Ending.CANCELLED, "Deleted"));
        }
        JobStatus status = last.get(id);
        if (status == null) {
            return Optional.empty();
        }
        if (status.state() == JobState.ENDED) {
            return Optional.of(status);
        }
        return status.nativeState().equals("Terminating") ? Optional.of(deleted()) : Optional.empty();
    }

    /** The status of a Job that somebody deleted. */
    static JobStatus deleted() {
        return JobStatus.ended(Ending.CANCELLED, "Deleted").withReason("somebody who deleted the Job");
    }
}
