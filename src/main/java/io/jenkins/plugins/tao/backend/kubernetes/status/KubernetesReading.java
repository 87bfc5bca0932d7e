package io.jenkins.plugins.tao.backend.kubernetes.status;

import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.backend.BackendException.Unreachable;
import io.jenkins.plugins.tao.backend.Position;
import io.jenkins.plugins.tao.backend.Stream;
import io.jenkins.plugins.tao.backend.StreamRef;
import io.jenkins.plugins.tao.backend.Tail;
import io.jenkins.plugins.tao.backend.kubernetes.api.KubernetesApi;
import io.jenkins.plugins.tao.backend.kubernetes.options.KubernetesNames;
import io.jenkins.plugins.tao.backend.kubernetes.options.KubernetesNames.Reference;
import io.jenkins.plugins.tao.backend.kubernetes.options.MemberIndices;
import io.jenkins.plugins.tao.backend.kubernetes.view.Answer;
import io.jenkins.plugins.tao.backend.kubernetes.view.JobView;
import io.jenkins.plugins.tao.backend.kubernetes.view.KubernetesMemory;
import io.jenkins.plugins.tao.backend.kubernetes.view.PodView;
import io.jenkins.plugins.tao.job.JobHandle;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import lombok.RequiredArgsConstructor;

/** Reads on in the streams of many jobs: one request for each pod with a log, and pods as the last look saw them. */
@RequiredArgsConstructor
public final class KubernetesReading {
    /** So much of a log a cause is looked for in. */
    private static final long END_BYTES = 64 * 1024L;

    /** A log whose node is gone for good must not hold back what else was read. */
    private static final int TRIES = 3;

    private final KubernetesApi api;
    private final KubernetesMemory memory;
    private final Map<String, Answer<PodView>> listed = new HashMap<>();

    /** What was read of one job; whether its log is to be read again. */
    private record OfJob(Map<StreamRef, Tail> tails, boolean again) {}

    /** Reads on, many jobs side by side: most of the time goes by waiting for answers. */
    public Map<StreamRef, Tail> read(Map<StreamRef, Position> from) throws BackendException {
        Map<JobHandle, Map<Stream, Position>> byJob = new HashMap<>();
        from.forEach((ref, position) ->
                byJob.computeIfAbsent(ref.job(), job -> new HashMap<>()).put(ref.stream(), position));
        Map<StreamRef, Tail> tails = new HashMap<>();
        List<JobHandle> again = new ArrayList<>();
        ExecutorService side = Executors.newFixedThreadPool(
                Math.max(1, Math.min(KubernetesApi.SIDE_BY_SIDE, byJob.size())), KubernetesReading::thread);
        try {
            Map<JobHandle, Future<OfJob>> all = new HashMap<>();
            byJob.forEach((job, wanted) -> all.put(job, side.submit(() -> read(job, wanted, byJob.keySet()))));
            for (Map.Entry<JobHandle, Future<OfJob>> each : all.entrySet()) {
                OfJob read = answer(each.getValue());
                tails.putAll(read.tails());
                if (read.again()) {
                    again.add(each.getKey());
                }
            }
        } finally {
            side.shutdownNow();
        }
        if (!again.isEmpty()) {
            throw new Unreachable(
                    "The log of " + again.get(0).shortName() + ", which has ended, could not be read.",
                    "It is read again.");
        }
        return tails;
    }

    private static Thread thread(Runnable task) {
        Thread thread = new Thread(task, "tao-run pod logs");
        thread.setDaemon(true);
        return thread;
    }

    private static OfJob answer(Future<OfJob> read) throws BackendException {
        try {
            return read.get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new Unreachable("The reading of logs was interrupted.", "They are read again.", e);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof BackendException told) {
                throw told;
            }
            throw new IllegalStateException("a log could not be read", e.getCause());
        }
    }

    private OfJob read(JobHandle job, Map<Stream, Position> wanted, Set<JobHandle> all) throws BackendException {
        KubernetesLogs logs = new KubernetesLogs(api.podLogs());
        Map<StreamRef, Tail> tails = new HashMap<>(tails(logs, job, pods(job, all), wanted));
        boolean more = tails.values().stream().anyMatch(Tail::more);
        boolean complete =
                memory.looked(job).filter(SideContainers::commandsEnded).isPresent();
        boolean read = complete && !more && !logs.missedAnEnd();
        if (read && wanted.containsKey(Stream.OUT) && isEndKept(logs, job)) {
            memory.logRead(job.nativeId());
        }
        if (!logs.missedAnEnd()) {
            return new OfJob(tails, false);
        }
        if (memory.notRead(job.nativeId()) < TRIES) {
            return new OfJob(tails, true);
        }
        Position from = wanted.get(Stream.OUT);
        if (from != null) {
            tails.putIfAbsent(
                    new StreamRef(job, Stream.OUT),
                    Tail.missed(from, "no answer for the log of a pod that has ended."));
        }
        return new OfJob(tails, false);
    }

    private Map<StreamRef, Tail> tails(
            KubernetesLogs logs, JobHandle job, List<PodView> pods, Map<Stream, Position> wanted) throws Unreachable {
        Optional<MemberIndices> members = KubernetesNames.members(job);
        if (members.isPresent()) {
            return logs.readMembers(job, new MemberFollow.Members(members.get(), pods, memory.looked(job)), wanted);
        }
        Map<StreamRef, Tail> tails = logs.read(job, pods, wanted);
        Position from = wanted.get(Stream.OUT);
        Optional<byte[]> end = memory.logEnd(job.nativeId());
        if (from != null && end.isPresent()) {
            tails.computeIfPresent(new StreamRef(job, Stream.OUT), (ref, tail) -> orKept(tail, end.get(), from));
        }
        return tails;
    }

    /** Keeps the end of a log while side containers run on in its pods: once these are ended, their logs are gone. */
    private boolean isEndKept(KubernetesLogs logs, JobHandle job) throws Unreachable {
        Optional<JobView> held = memory.looked(job)
                .filter(view -> view.members().isEmpty()
                        && memory.logEnd(job.nativeId()).isEmpty())
                .filter(view -> view.pods().stream().anyMatch(pod -> !pod.isOver()));
        if (held.isPresent()) {
            Tail end = logs.rewound(job, held.get().pods(), Position.START, END_BYTES);
            if (!logs.missedAnEnd()) {
                memory.keepLogEnd(job.nativeId(), end.bytes());
            }
        }
        return !logs.missedAnEnd();
    }

    /** What is asked for once more, and is gone with the pods. */
    private static Tail orKept(Tail tail, byte[] end, Position from) {
        boolean gone = tail.bytes().length == 0 && tail.next().equals(from);
        return gone ? new Tail(end, from, false, false) : tail;
    }

    private List<PodView> pods(JobHandle job, Set<JobHandle> all) throws BackendException {
        Optional<JobView> looked = memory.looked(job);
        Answer<PodView> pods = looked.isPresent() ? looked.get().listed() : list(job, all);
        if (pods instanceof Answer.Unknown<PodView> unknown) {
            throw unknown.why();
        }
        return pods.orNone();
    }

    private synchronized Answer<PodView> list(JobHandle job, Set<JobHandle> all) {
        Reference at = Reference.of(job);
        return listed.computeIfAbsent(
                        at.namespace(),
                        namespace -> api.lists()
                                .pods(namespace, KubernetesRound.labels(all))
                                .map(pods -> pods.stream().map(PodView::new).toList()))
                .map(pods -> pods.stream()
                        .filter(pod -> pod.job().equals(at.name()))
                        .sorted(PodView.BY_RANK)
                        .toList());
    }
}
