package io.jenkins.plugins.tao.backend.lepton;

import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.job.Ending;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.JobState;
import io.jenkins.plugins.tao.job.JobStatus;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Looks at all jobs of a target: one list for those that live, one call for each that ended. Replicas are looked at in
 * turn, a few jobs a round, so that many waiting jobs do not make a round long. Used by one thread at a time.
 */
final class LeptonPoll {
    private static final int LOOKS = 16;

    private final LeptonTarget target;
    private final LeptonApi api;
    private final LeptonSecrets secrets;
    private final Map<String, List<LeptonReplica>> replicas = new HashMap<>();
    private final Map<String, JobStatus> ends = new HashMap<>();
    private final Set<String> tidied = new HashSet<>();
    private final Deque<String> turn = new ArrayDeque<>();

    LeptonPoll(LeptonTarget target, LeptonApi api) {
        this.target = target;
        this.api = api;
        secrets = new LeptonSecrets(api);
    }

    Map<JobHandle, JobStatus> look(Set<JobHandle> jobs) throws BackendException {
        forgetAllBut(jobs);
        Map<String, LeptonJob> alive =
                api.alive(LeptonRequest.TARGET_LABEL, LeptonRequest.label(target.name())).stream()
                        .collect(Collectors.toMap(LeptonJob::id, Function.identity(), (one, other) -> one));
        Map<JobHandle, JobStatus> seen = new LinkedHashMap<>();
        Map<JobHandle, LeptonJob> live = new LinkedHashMap<>();
        for (JobHandle handle : jobs) {
            Optional<LeptonJob> job = Optional.ofNullable(alive.get(handle.nativeId()));
            if (job.isEmpty()) {
                job = api.job(handle.nativeId());
            }
            if (job.isPresent()) {
                JobStatus status = LeptonState.read(job.get());
                if (status.state() == JobState.ENDED) {
                    seen.put(handle, ended(handle, job.get(), status));
                } else {
                    seen.put(handle, status);
                    live.put(handle, job.get());
                }
            }
        }
        lookAtReplicas(live.values().stream().map(LeptonJob::id).toList());
        live.forEach((handle, job) -> seen.computeIfPresent(handle, (any, status) -> detailed(job, status)));
        return seen;
    }

    private void forgetAllBut(Set<JobHandle> jobs) {
        Set<String> ids = jobs.stream().map(JobHandle::nativeId).collect(Collectors.toSet());
        replicas.keySet().retainAll(ids);
        ends.keySet().retainAll(ids);
        tidied.retainAll(ids);
        turn.retainAll(ids);
    }

    private void lookAtReplicas(List<String> live) throws BackendException {
        live.stream().filter(id -> !turn.contains(id)).forEach(turn::addFirst);
        turn.retainAll(Set.copyOf(live));
        int looks = Math.min(LOOKS, turn.size());
        for (int i = 0; i < looks; i++) {
            String id = turn.removeFirst();
            turn.addLast(id);
            replicas.put(id, api.replicas(id));
        }
    }

    private JobStatus detailed(LeptonJob job, JobStatus status) {
        List<LeptonReplica> own = replicas.getOrDefault(job.id(), List.of());
        JobStatus placed = status.withNodes(nodes(own));
        Optional<String> issue = own.stream()
                .map(LeptonReplica::words)
                .filter(words -> !words.isEmpty())
                .findFirst();
        boolean waits = status.state() == JobState.PENDING;
        Optional<String> patience = waits && nodes(own).isEmpty() ? api.waitedLong(job) : Optional.empty();
        String reason = Stream.of(status.reason(), issue, patience)
                .flatMap(Optional::stream)
                .collect(Collectors.joining("; "));
        return placed.withReason(reason);
    }

    private static List<String> nodes(List<LeptonReplica> replicas) {
        return replicas.stream()
                .map(LeptonReplica::node)
                .filter(name -> !name.isEmpty())
                .distinct()
                .toList();
    }

    /** What does not change any more is asked once; the exit code may come later than the end. */
    private JobStatus ended(JobHandle handle, LeptonJob job, JobStatus status) throws BackendException {
        JobStatus known = ends.get(job.id());
        if (known == null) {
            known = explained(handle, job, status);
            ends.put(job.id(), known);
        }
        if (known.exitCode().isEmpty() && needsExitCode(known)) {
            OptionalInt code = new LeptonLog(api).exitCode(handle, job.workers());
            if (code.isPresent()) {
                known = known.withExitCode(code.getAsInt());
                ends.put(job.id(), known);
            }
        }
        tidy(job);
        return known;
    }

    private static boolean needsExitCode(JobStatus status) {
        Ending ending = status.ending().orElse(Ending.UNKNOWN);
        return ending == Ending.COMPLETED || ending == Ending.FAILED || ending == Ending.UNKNOWN;
    }

    /** A failure is analysed before anybody decides whether to try again. */
    private JobStatus explained(JobHandle handle, LeptonJob job, JobStatus status) throws BackendException {
        List<LeptonReplica> own = api.replicas(job.id());
        JobStatus placed = status.withNodes(nodes(own));
        if (!status.ending().equals(Optional.of(Ending.FAILED))) {
            return placed;
        }
        LeptonAnalysis analysis = LeptonAnalysis.of(
                new LeptonAnalysis.Evidence(job, handle.attempt(), own, api.events(job.id()), List.of()));
        return analysis.ending()
                .map(ending -> JobStatus.ended(ending, status.nativeState())
                        .withNodes(nodes(own))
                        .withTimes(status.startedAt(), status.endedAt())
                        .withRuns(status.runs())
                        .withReason(analysis.summary() + " " + analysis.remedy()))
                .orElse(placed);
    }

    /** The job's own secrets go when it has ended; what cannot go now is tried in the next round, and hides no state. */
    private void tidy(LeptonJob job) {
        if (!tidied.contains(job.id()) && secrets.remove(job.ownSecrets().values())) {
            tidied.add(job.id());
        }
    }
}
