package io.jenkins.plugins.tao.backend.kubernetes.status;

import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.backend.kubernetes.api.ApiLists;
import io.jenkins.plugins.tao.backend.kubernetes.api.KubernetesApi;
import io.jenkins.plugins.tao.backend.kubernetes.checks.CapacityReply;
import io.jenkins.plugins.tao.backend.kubernetes.options.KubernetesNames;
import io.jenkins.plugins.tao.backend.kubernetes.options.KubernetesNames.Reference;
import io.jenkins.plugins.tao.backend.kubernetes.view.Answer;
import io.jenkins.plugins.tao.backend.kubernetes.view.JobView;
import io.jenkins.plugins.tao.backend.kubernetes.view.KubernetesMemory;
import io.jenkins.plugins.tao.backend.kubernetes.view.KueueReply;
import io.jenkins.plugins.tao.backend.kubernetes.view.PodView;
import io.jenkins.plugins.tao.backend.kubernetes.view.VolcanoReply;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.JobStatus;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * One look at all jobs of a namespace: two lists, and up to seven more when some job waits, whatever the number of jobs.
 * Lists come out of the server's watch cache; a watch of our own would hold a thread and a connection for the same news.
 * It writes nothing.
 */
public final class KubernetesRound {
    /** So many Jobs that a list lacks are read one by one. */
    private static final int MOST_READS = 20;

    private final KubernetesApi api;
    private final ApiLists lists;
    private final KubernetesMemory memory;
    private int reads;

    public KubernetesRound(KubernetesApi api, KubernetesMemory memory) {
        this.api = api;
        lists = api.lists();
        this.memory = memory;
    }

    public Map<JobHandle, JobStatus> poll(Set<JobHandle> jobs) throws BackendException {
        Map<String, List<JobHandle>> byNamespace = jobs.stream()
                .collect(Collectors.groupingBy(job -> Reference.of(job).namespace()));
        Map<JobHandle, JobStatus> found = new LinkedHashMap<>();
        Map<JobHandle, JobView> seen = new LinkedHashMap<>();
        for (Map.Entry<String, List<JobHandle>> each : byNamespace.entrySet()) {
            seen.putAll(poll(each.getKey(), each.getValue(), found));
        }
        memory.saw(seen);
        return found;
    }

    private Map<JobHandle, JobView> poll(String namespace, List<JobHandle> handles, Map<JobHandle, JobStatus> found)
            throws BackendException {
        Map<String, Job> jobs = lists.jobs(namespace, labels(handles)).stream()
                .collect(Collectors.toMap(job -> job.getMetadata().getName(), job -> job, (one, other) -> one));
        Map<JobHandle, Job> there = new LinkedHashMap<>();
        for (JobHandle handle : handles) {
            Optional<Job> job = Optional.ofNullable(
                            jobs.get(Reference.of(handle).name()))
                    .filter(listed -> KubernetesNames.isOf(listed, handle));
            if (job.isEmpty()) {
                job = unlisted(handle, found);
            }
            job.ifPresent(known -> there.put(handle, known));
        }
        return there.isEmpty() ? Map.of() : look(namespace, there, found);
    }

    /** The label that all attempts of a job carry. */
    static Set<String> labels(Collection<JobHandle> handles) {
        return handles.stream()
                .map(handle -> KubernetesNames.stem(handle.key()))
                .collect(Collectors.toSet());
    }

    /**
     * A Job that the list lacks. Only a read of the Job itself tells that it is gone, for the list comes out of a cache
     * that may lag behind; one with pods that end at once is deleted between two looks.
     */
    private Optional<Job> unlisted(JobHandle handle, Map<JobHandle, JobStatus> found) throws BackendException {
        Optional<JobStatus> known = memory.afterwards(handle.nativeId());
        if (known.isPresent()) {
            found.put(handle, known.get());
            return Optional.empty();
        }
        if (reads++ >= MOST_READS) {
            return Optional.empty();
        }
        Optional<Job> job = api.job(Reference.of(handle)).filter(read -> KubernetesNames.isOf(read, handle));
        if (job.isEmpty() && memory.wasKept(handle.nativeId(), api.now())) {
            found.put(handle, memory.deleted(handle.nativeId()));
        }
        return job;
    }

    /** Its time after the end cannot have run out before this. */
    private static Optional<Instant> keptUntil(JobView view) {
        Integer ttl = view.job().getSpec().getTtlSecondsAfterFinished();
        return view.now().map(now -> ttl == null ? Instant.MAX : now.plusSeconds(ttl));
    }

    private Map<JobHandle, JobView> look(String namespace, Map<JobHandle, Job> jobs, Map<JobHandle, JobStatus> found)
            throws BackendException {
        Answer<Pod> listed = lists.pods(namespace, labels(jobs.keySet()));
        Map<String, List<PodView>> pods = byJob(listed.orNone());
        Map<JobHandle, JobView> views = new LinkedHashMap<>();
        jobs.forEach((handle, job) -> {
            List<PodView> own = pods.getOrDefault(job.getMetadata().getName(), List.of());
            views.put(handle, new JobView(job, listed.map(all -> own), List.of(), api.now()));
        });
        List<Event> events = events(namespace, views);
        boolean unscheduled = views.values().stream()
                .flatMap(view -> view.pods().stream())
                .anyMatch(pod -> pod.unschedulable().isPresent());
        Optional<CapacityReply> nodes = unscheduled ? lists.nodes().listed().map(CapacityReply::new) : Optional.empty();
        List<GenericKubernetesResource> workloads = workloads(namespace, views);
        Answer<GenericKubernetesResource> groups =
                views.values().stream().anyMatch(view -> waits(view) && VolcanoReply.schedules(view))
                        ? lists.generic(VolcanoReply.VERSION, "PodGroup", namespace)
                        : Answer.of(List.of());
        views.replaceAll((handle, view) -> view.with(events));
        views.forEach((handle, view) -> {
            JobStatus status = VolcanoReply.explained(
                    status(handle, view, nodes, KueueReply.admission(workloads, view.job())), view, groups);
            memory.saw(handle.nativeId(), status, keptUntil(view));
            found.put(handle, memory.told(handle.nativeId(), status));
        });
        return views;
    }

    private List<Event> events(String namespace, Map<JobHandle, JobView> views) {
        Set<String> waiting = views.values().stream()
                .filter(KubernetesRound::waits)
                .flatMap(view -> view.subjects().stream())
                .collect(Collectors.toCollection(LinkedHashSet::new));
        return waiting.isEmpty() ? List.of() : lists.events(namespace, waiting).orNone();
    }

    private List<GenericKubernetesResource> workloads(String namespace, Map<JobHandle, JobView> views)
            throws BackendException {
        boolean queued = views.values().stream()
                .anyMatch(view -> view.isSuspended()
                        && view.job().getMetadata().getLabels().containsKey(KubernetesNames.QUEUE));
        return queued
                ? lists.generic(KueueReply.GROUP + "/" + api.kueueVersion(), "Workload", namespace)
                        .orNone()
                : List.of();
    }

    private JobStatus status(
            JobHandle handle, JobView view, Optional<CapacityReply> nodes, Optional<String> admission) {
        view.note(KubernetesNames.CANCELLED).ifPresent(by -> memory.askedBy(handle.nativeId(), by));
        boolean leaving = view.job().getMetadata().getDeletionTimestamp() != null;
        return leaving && memory.isCancelled(handle.nativeId())
                ? KubernetesReply.leaving(view, "its pods are being ended")
                : Optional.of(view)
                        .filter(held -> memory.willBeEnded(handle.nativeId()))
                        .flatMap(SideContainers::ending)
                        .orElseGet(() -> KubernetesReply.status(view, nodes, admission));
    }

    private static boolean waits(JobView view) {
        return !view.isOver()
                && view.listed().listed().isPresent()
                && (view.lacksPods() || view.pods().stream().anyMatch(pod -> !pod.isRunning() && !pod.isOver()));
    }

    /** Pods by the name of their Job. */
    static Map<String, List<PodView>> byJob(List<Pod> pods) {
        Map<String, List<PodView>> byJob = new HashMap<>();
        for (Pod pod : pods) {
            PodView view = new PodView(pod);
            byJob.computeIfAbsent(view.job(), name -> new ArrayList<>()).add(view);
        }
        byJob.values().forEach(list -> list.sort(PodView.BY_RANK));
        return byJob;
    }
}
