package io.jenkins.plugins.tao.backend.lepton;

import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.backend.Controller;
import io.jenkins.plugins.tao.backend.lepton.api.LeptonApi;
import io.jenkins.plugins.tao.backend.lepton.options.LeptonTarget;
import io.jenkins.plugins.tao.backend.lepton.request.LeptonJob;
import io.jenkins.plugins.tao.backend.lepton.request.LeptonRequest;
import io.jenkins.plugins.tao.backend.lepton.request.LeptonState;
import io.jenkins.plugins.tao.backend.lepton.view.LeptonReplica;
import io.jenkins.plugins.tao.http.PartFailures;
import io.jenkins.plugins.tao.job.Ending;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.JobState;
import io.jenkins.plugins.tao.job.JobStatus;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Looks at all jobs of a target: one list for those that live, one call for each that ended. Only the list itself can
 * fail for all: what else cannot be read of a job is a notice of that job. Used by one thread at a time.
 */
final class LeptonPoll {
    private final LeptonTarget target;
    private final LeptonApi api;
    private final PartFailures failures;
    private final LeptonPlacement placement;
    private final LeptonEnds ends;
    private final Map<String, String> words = new HashMap<>();

    LeptonPoll(LeptonTarget target, LeptonApi api, PartFailures failures) {
        this.target = target;
        this.api = api;
        this.failures = failures;
        placement = new LeptonPlacement(api, failures);
        ends = new LeptonEnds(api, failures, new LeptonSubmission(target, api, Controller.NONE));
    }

    Map<JobHandle, JobStatus> look(Set<JobHandle> jobs) throws BackendException {
        forgetAllBut(jobs);
        Map<String, LeptonJob> alive =
                api.alive(LeptonRequest.TARGET_LABEL, LeptonRequest.label(target.name())).stream()
                        .collect(Collectors.toMap(LeptonJob::id, Function.identity(), (one, other) -> one));
        Map<String, Integer> newest = newest(alive.values());
        Map<JobHandle, JobStatus> seen = new LinkedHashMap<>();
        Map<JobHandle, LeptonJob> live = new LinkedHashMap<>();
        Optional<BackendException> throttled = Optional.empty();
        for (JobHandle handle : jobs) {
            String id = handle.nativeId();
            try {
                if (throttled.isPresent() && !alive.containsKey(id)) {
                    seen.put(handle, unclear(id, throttled.get()));
                    continue;
                }
                Optional<LeptonJob> job = alive.containsKey(id) ? Optional.ofNullable(alive.get(id)) : api.job(id);
                failures.worked(id, LeptonBackend.STATE);
                job.ifPresent(known -> take(handle, known, isFollowed(handle, newest), seen, live));
            } catch (BackendException e) {
                seen.put(handle, unclear(id, e));
                throttled = LeptonBackend.asksToWait(e) ? Optional.of(e) : throttled;
            }
        }
        placement.lookAt(live.values().stream().map(LeptonJob::id).toList());
        live.forEach((handle, job) -> seen.computeIfPresent(handle, (any, status) -> detailed(job, status)));
        seen.replaceAll(this::noticed);
        return seen;
    }

    /** The number of the last attempt that lives, by the label of its job. */
    private static Map<String, Integer> newest(Collection<LeptonJob> alive) {
        Map<String, Integer> newest = new HashMap<>();
        for (LeptonJob job : alive) {
            String attempt = job.label(LeptonRequest.ATTEMPT_LABEL);
            if (attempt.matches("\\d{1,9}")) {
                newest.merge(job.label(LeptonRequest.JOB_LABEL), Integer.valueOf(attempt), Math::max);
            }
        }
        return newest;
    }

    private static boolean isFollowed(JobHandle handle, Map<String, Integer> newest) {
        String job = LeptonRequest.label(handle.key().value());
        return newest.getOrDefault(job, 0) > handle.attempt();
    }

    private void take(
            JobHandle handle,
            LeptonJob job,
            boolean followed,
            Map<JobHandle, JobStatus> seen,
            Map<JobHandle, LeptonJob> live) {
        JobStatus status = LeptonState.read(job);
        words.put(job.id(), status.nativeState());
        Ending ending = status.ending().orElse(Ending.CANCELLED);
        if (followed && ending == Ending.CANCELLED) {
            seen.put(handle, LeptonEnds.followed(handle, status));
        } else if (status.state() == JobState.ENDED) {
            seen.put(handle, ends.of(handle, job, status));
        } else {
            seen.put(handle, status);
            live.put(handle, job);
        }
    }

    /** A job that cannot be asked after keeps its last word, but not its state. */
    private JobStatus unclear(String id, BackendException e) {
        failures.failed(id, LeptonBackend.STATE, e);
        return JobStatus.live(JobState.UNCLEAR, words.getOrDefault(id, "unknown"))
                .withReason(String.valueOf(e.getMessage()));
    }

    private JobStatus noticed(JobHandle handle, JobStatus status) {
        JobStatus told = status;
        for (String notice : failures.of(handle.nativeId())) {
            told = told.withNotice(notice);
        }
        return told;
    }

    private void forgetAllBut(Set<JobHandle> jobs) {
        Set<String> ids = jobs.stream().map(JobHandle::nativeId).collect(Collectors.toSet());
        placement.forgetAllBut(ids);
        ends.forgetAllBut(ids);
        failures.retain(ids);
        words.keySet().retainAll(ids);
    }

    private JobStatus detailed(LeptonJob job, JobStatus status) {
        List<LeptonReplica> own = placement.of(job.id());
        if (status.state() == JobState.PENDING) {
            Optional<JobStatus> stuck = placement.stuck(job, status);
            if (stuck.isPresent()) {
                return stuck.get();
            }
        }
        List<String> nodes = LeptonPlacement.nodes(own);
        Optional<String> issue = own.stream()
                .map(LeptonReplica::words)
                .filter(each -> !each.isEmpty())
                .findFirst();
        boolean waits = status.state() == JobState.PENDING;
        Optional<String> patience = waits && nodes.isEmpty() ? api.waitedLong(job) : Optional.empty();
        String reason = Stream.of(status.reason(), issue, patience)
                .flatMap(Optional::stream)
                .collect(Collectors.joining("; "));
        return status.withNodes(nodes).withReason(reason);
    }
}
