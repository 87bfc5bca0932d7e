package io.jenkins.plugins.tao.backend.kubernetes;

import io.jenkins.plugins.tao.job.Ending;
import io.jenkins.plugins.tao.job.JobState;
import io.jenkins.plugins.tao.job.JobStatus;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** What was last seen of Jobs, for those that are gone now: a deleted Job leaves nothing behind that could be asked. */
final class KubernetesMemory {
    private static final int MOST = 4096;

    private final Map<String, JobStatus> last = new LinkedHashMap<>();
    private final Set<String> cancelled = new HashSet<>();

    synchronized void cancelled(String id) {
        cancelled.add(id);
    }

    synchronized boolean isCancelled(String id) {
        return cancelled.contains(id);
    }

    synchronized void saw(String id, JobStatus status) {
        last.remove(id);
        last.put(id, status);
        if (last.size() > MOST) {
            String oldest = last.keySet().iterator().next();
            last.remove(oldest);
            cancelled.remove(oldest);
        }
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
        return status.nativeState().equals("Terminating")
                ? Optional.of(JobStatus.ended(Ending.CANCELLED, "Deleted").withReason("somebody who deleted the Job"))
                : Optional.empty();
    }
}
