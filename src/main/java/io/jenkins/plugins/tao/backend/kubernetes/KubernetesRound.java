package io.jenkins.plugins.tao.backend.kubernetes;

import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.backend.BackendException.Denied;
import io.jenkins.plugins.tao.backend.kubernetes.KubernetesNames.Reference;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.JobState;
import io.jenkins.plugins.tao.job.JobStatus;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.Collectors;

/**
 * One look at all jobs of a namespace: two lists, and up to three more when some job waits, whatever the number of jobs.
 * Lists come out of the server's watch cache; a watch of our own would hold a thread and a connection for the same news.
 */
final class KubernetesRound {
    private static final Logger LOGGER = Logger.getLogger(KubernetesRound.class.getName());

    private final KubernetesApi api;
    private final KubernetesSubmission submission;
    private final KubernetesMemory memory;

    KubernetesRound(KubernetesApi api, KubernetesSubmission submission, KubernetesMemory memory) {
        this.api = api;
        this.submission = submission;
        this.memory = memory;
    }

    Map<JobHandle, JobStatus> poll(Set<JobHandle> jobs) throws BackendException {
        Map<String, List<JobHandle>> byNamespace = jobs.stream()
                .collect(Collectors.groupingBy(job -> Reference.of(job).namespace()));
        Map<JobHandle, JobStatus> found = new LinkedHashMap<>();
        for (Map.Entry<String, List<JobHandle>> each : byNamespace.entrySet()) {
            poll(each.getKey(), each.getValue(), found);
        }
        return found;
    }

    private void poll(String namespace, List<JobHandle> handles, Map<JobHandle, JobStatus> found)
            throws BackendException {
        Map<String, Job> jobs = api.jobs(namespace).stream()
                .collect(Collectors.toMap(job -> job.getMetadata().getName(), job -> job, (one, other) -> one));
        List<JobHandle> there = new ArrayList<>();
        for (JobHandle handle : handles) {
            Job job = jobs.get(Reference.of(handle).name());
            if (job != null && isOf(job, handle)) {
                there.add(handle);
            } else {
                gone(handle).ifPresent(status -> found.put(handle, status));
            }
        }
        if (!there.isEmpty()) {
            look(namespace, there, jobs, found);
        }
    }

    /**
     * A Job with pods that end at once is deleted between two looks. Only a read of the Job itself proves that, for the
     * list comes out of a cache that may lag behind.
     */
    private Optional<JobStatus> gone(JobHandle handle) throws BackendException {
        Optional<JobStatus> known = memory.afterwards(handle.nativeId());
        if (known.isPresent() || !memory.wasKept(handle.nativeId(), api.now())) {
            return known;
        }
        boolean there =
                api.job(Reference.of(handle)).filter(job -> isOf(job, handle)).isPresent();
        return there ? Optional.empty() : Optional.of(KubernetesMemory.deleted());
    }

    /** Its time after the end cannot have run out before this. */
    private static Optional<Instant> keptUntil(JobView view) {
        Integer ttl = view.job().getSpec().getTtlSecondsAfterFinished();
        return view.now().map(now -> ttl == null ? Instant.MAX : now.plusSeconds(ttl));
    }

    private static boolean isOf(Job job, JobHandle handle) {
        Map<String, String> notes = job.getMetadata().getAnnotations();
        return notes != null && handle.key().value().equals(notes.get(KubernetesNames.KEY));
    }

    private void look(String namespace, List<JobHandle> handles, Map<String, Job> jobs, Map<JobHandle, JobStatus> found)
            throws BackendException {
        Map<String, List<PodView>> pods = byJob(api.pods(namespace));
        Map<JobHandle, JobView> views = new LinkedHashMap<>();
        for (JobHandle handle : handles) {
            String name = Reference.of(handle).name();
            Job job = java.util.Objects.requireNonNull(jobs.get(name));
            views.put(handle, new JobView(job, pods.getOrDefault(name, List.of()), List.of(), api.now()));
        }
        boolean someWait = views.values().stream().anyMatch(KubernetesRound::waits);
        List<Event> events = someWait ? api.events(namespace) : List.of();
        boolean unscheduled = views.values().stream()
                .flatMap(view -> view.pods().stream())
                .anyMatch(pod -> pod.unschedulable().isPresent());
        Optional<CapacityReply> nodes = unscheduled ? api.nodes().map(CapacityReply::new) : Optional.empty();
        boolean queued = views.values().stream()
                .anyMatch(view -> view.isSuspended()
                        && view.job().getMetadata().getLabels().containsKey(KubernetesNames.QUEUE));
        List<GenericKubernetesResource> workloads = queued ? api.workloads(namespace) : List.of();
        views.forEach((handle, view) -> {
            JobView full = new JobView(view.job(), view.pods(), about(view, events), view.now());
            JobStatus status = status(handle, full, nodes, KueueReply.admission(workloads, view.job()));
            memory.saw(handle.nativeId(), status, keptUntil(full));
            found.put(handle, status);
            endOverdue(handle, full);
        });
    }

    private JobStatus status(
            JobHandle handle, JobView view, Optional<CapacityReply> nodes, Optional<String> admission) {
        boolean leaving = view.job().getMetadata().getDeletionTimestamp() != null;
        return leaving && memory.isCancelled(handle.nativeId())
                ? JobStatus.live(JobState.RUNNING, "Terminating").withReason("its pods are being ended")
                : KubernetesReply.status(view, nodes, admission);
    }

    private static boolean waits(JobView view) {
        return !view.isOver()
                && (view.lacksPods() || view.pods().stream().anyMatch(pod -> !pod.isRunning() && !pod.isOver()));
    }

    /** A deadline that cannot be kept must not keep the other jobs from being seen. */
    private void endOverdue(JobHandle handle, JobView view) {
        Optional<String> why = DeadlineReply.overdue(view);
        if (why.isEmpty()) {
            return;
        }
        try {
            submission.end(Reference.of(handle), why.get());
        } catch (BackendException e) {
            Level level = e instanceof Denied ? Level.WARNING : Level.FINE;
            LOGGER.log(level, "{0} is past its deadline and could not be ended: {1}", new Object[] {
                handle.shortName(), e.explain()
            });
        }
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

    /** What was said about a Job and its pods. */
    static List<Event> about(JobView view, List<Event> events) {
        Set<String> names = new LinkedHashSet<>();
        names.add("Job/" + view.name());
        view.pods().forEach(pod -> names.add("Pod/" + pod.name()));
        return events.stream()
                .filter(event -> event.getInvolvedObject() != null)
                .filter(event -> names.contains(event.getInvolvedObject().getKind() + "/"
                        + event.getInvolvedObject().getName()))
                .toList();
    }
}
