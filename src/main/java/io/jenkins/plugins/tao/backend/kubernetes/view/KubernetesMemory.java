package io.jenkins.plugins.tao.backend.kubernetes.view;

import io.jenkins.plugins.tao.job.Ending;
import io.jenkins.plugins.tao.job.JobHandle;
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
public final class KubernetesMemory {
    private static final int MOST = 4096;

    private final Map<String, JobStatus> last = new LinkedHashMap<>();
    private final Map<String, Instant> keptUntil = new HashMap<>();
    private final Set<String> cancelled = new HashSet<>();
    private final Map<String, String> unended = new HashMap<>();
    private final Map<String, Integer> unread = new HashMap<>();
    private final Map<String, String> askers = new HashMap<>();
    private final Set<String> kept = new HashSet<>();
    private final Set<String> read = new HashSet<>();
    private final Map<String, byte[]> logEnds = new HashMap<>();
    private volatile Map<JobHandle, JobView> looked = Map.of();

    /** Notes the last look, for those who go on from it. */
    public void saw(Map<JobHandle, JobView> views) {
        looked = Map.copyOf(views);
    }

    /** The Job as the last look saw it; empty if that was not at this one. */
    public Optional<JobView> looked(JobHandle job) {
        return Optional.ofNullable(looked.get(job));
    }

    /** Notes why a Job that is past its deadline could not be ended. */
    public synchronized void notEnded(String id, String why) {
        unended.put(id, why);
    }

    /** The status with what else a person should know. */
    public synchronized JobStatus told(String id, JobStatus status) {
        String why = unended.get(id);
        return why == null ? status : status.withNotice(why);
    }

    /** Notes that a log which is complete could not be read, and tells how often that was. */
    public synchronized int notRead(String id) {
        return unread.merge(id, 1, Integer::sum);
    }

    /** Notes that whoever looks at the job also keeps its deadlines. */
    public synchronized void keepsDeadlines(String id) {
        kept.add(id);
    }

    /** Whether the pods of a job are going to be ended by us, as far as is known. */
    public synchronized boolean willBeEnded(String id) {
        return kept.contains(id) && !unended.containsKey(id);
    }

    /** Notes that all of the job's log has been read. */
    public synchronized void logRead(String id) {
        read.add(id);
    }

    /** Keeps the end of the log of a job whose pods we are going to end: it tells why the command failed. */
    public synchronized void keepLogEnd(String id, byte[] end) {
        logEnds.put(id, end);
    }

    /** The end of its log, if that was kept. */
    public synchronized Optional<byte[]> logEnd(String id) {
        return Optional.ofNullable(logEnds.get(id));
    }

    public synchronized boolean isLogRead(String id) {
        return read.contains(id);
    }

    /** Notes who asked for the end of a Job, as the Job itself tells. */
    public synchronized void askedBy(String id, String by) {
        askers.put(id, by);
    }

    public synchronized void cancelled(String id) {
        cancelled.add(id);
    }

    public synchronized boolean isCancelled(String id) {
        return cancelled.contains(id);
    }

    /**
     * Notes what was seen of a Job.
     *
     * @param until before which the cluster itself cannot have removed it; empty when that is not known
     */
    public synchronized void saw(String id, JobStatus status, Optional<Instant> until) {
        last.remove(id);
        last.put(id, status);
        keptUntil.remove(id);
        until.ifPresent(time -> keptUntil.put(id, time));
        if (last.size() > MOST) {
            String oldest = last.keySet().iterator().next();
            last.remove(oldest);
            cancelled.remove(oldest);
            keptUntil.remove(oldest);
            unended.remove(oldest);
            unread.remove(oldest);
            kept.remove(oldest);
            askers.remove(oldest);
            read.remove(oldest);
            logEnds.remove(oldest);
        }
    }

    /** Whether a Job that had not ended when it was seen last could not have ended and gone by itself until {@code now}. */
    public synchronized boolean wasKept(String id, Optional<Instant> now) {
        Instant until = keptUntil.get(id);
        return until != null && now.isPresent() && now.get().isBefore(until);
    }

    /** What became of a Job that is not there any more; empty when nobody knows. */
    public synchronized Optional<JobStatus> afterwards(String id) {
        if (cancelled.contains(id)) {
            return Optional.of(JobStatus.ended(Ending.CANCELLED, "Deleted").withReason(askers.getOrDefault(id, "")));
        }
        JobStatus status = last.get(id);
        if (status == null) {
            return Optional.empty();
        }
        if (status.state() == JobState.ENDED) {
            return Optional.of(status);
        }
        return status.nativeState().equals("Terminating") ? Optional.of(deleted(id)) : Optional.empty();
    }

    /** The status of a Job that somebody deleted. */
    public synchronized JobStatus deleted(String id) {
        return JobStatus.ended(Ending.CANCELLED, "Deleted")
                .withReason(askers.getOrDefault(
                        id, "somebody who deleted the Job, with kubectl for instance, and left no name"));
    }
}
