package io.jenkins.plugins.tao.monitor.poll;

import io.jenkins.plugins.tao.backend.Attributing;
import io.jenkins.plugins.tao.backend.Backend;
import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.backend.Deadlines;
import io.jenkins.plugins.tao.backend.JointCancels;
import io.jenkins.plugins.tao.backend.Position;
import io.jenkins.plugins.tao.backend.StreamRef;
import io.jenkins.plugins.tao.backend.Tail;
import io.jenkins.plugins.tao.backend.Withdrawing;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.JobStatus;
import io.jenkins.plugins.tao.job.Outcome;
import io.jenkins.plugins.tao.monitor.JobEvent;
import io.jenkins.plugins.tao.monitor.Ticker;
import io.jenkins.plugins.tao.monitor.Tracker;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import lombok.AccessLevel;
import lombok.RequiredArgsConstructor;
import org.jspecify.annotations.Nullable;

/** One round of one target: requests, states, streams and ends of all its jobs, in a few calls. */
@RequiredArgsConstructor(access = AccessLevel.PRIVATE)
final class Round {
    private static final int READS = 8;
    /** After so many bytes all jobs are looked at again, whatever a log holds. */
    private static final long MOST_BYTES = 1 << 27;

    private final Backend backend;
    private final Ticker ticker;
    private final FailedNodes failedNodes;
    private final Map<JobHandle, Watched> byHandle = new LinkedHashMap<>();

    /** The rounds for {@code watches}: one, and another where a job is watched twice, for each reads at its own place. */
    static List<Round> of(Backend backend, List<Watched> watches, Ticker ticker, FailedNodes failedNodes) {
        List<Round> rounds = new ArrayList<>();
        for (Watched watched : watches) {
            JobHandle handle = watched.handle();
            Round free = rounds.stream()
                    .filter(round -> !round.byHandle.containsKey(handle))
                    .findFirst()
                    .orElseGet(() -> {
                        Round round = new Round(backend, ticker, failedNodes);
                        rounds.add(round);
                        return round;
                    });
            free.byHandle.put(handle, watched);
        }
        return rounds;
    }

    /**
     * Makes the round.
     *
     * @return whether logs hold more than this round has read; the next round should come at once
     */
    boolean run() throws BackendException {
        if (backend instanceof Deadlines deadlines) {
            deadlines.willKeep(Set.copyOf(byHandle.keySet()));
        }
        Map<JobHandle, JobStatus> seen = states();
        Instant now = ticker.now();
        byHandle.forEach((handle, watched) -> tellSeen(watched, Optional.ofNullable(seen.get(handle)), now));
        askForRequestedEnds();
        if (backend instanceof Deadlines deadlines) {
            deadlines.endOverdue(Set.copyOf(byHandle.keySet()));
        }
        Set<JobHandle> unread;
        try {
            unread = readAll();
        } catch (BackendException | RuntimeException e) {
            missAll(e instanceof BackendException told ? told.explain() : e.toString());
            conclude(Set.of()); // else a job that has ended would wait for its log for ever
            throw e;
        }
        conclude(unread);
        return !unread.isEmpty();
    }

    private void conclude(Set<JobHandle> unread) {
        Conclusion conclusion = new Conclusion(backend, ticker, failedNodes);
        Instant now = ticker.now();
        for (Watched watched : byHandle.values()) {
            if (!unread.contains(watched.handle()) && !watched.move(tracker -> tracker.awaitsLogs(now))) {
                conclusion.drawFor(watched);
            }
        }
    }

    private void missAll(String why) {
        wanted().forEach((ref, at) -> take(ref, Tail.missed(at, why)));
    }

    /** Asks after all jobs; while only the scheduler does not answer, what the jobs write is read all the same. */
    private Map<JobHandle, JobStatus> states() throws BackendException {
        try {
            return backend.poll(Set.copyOf(byHandle.keySet()));
        } catch (BackendException.Unreachable e) {
            if (e.filesCanBeRead()) {
                try {
                    readAll();
                } catch (BackendException alsoFiles) {
                    e.addSuppressed(alsoFiles);
                }
            }
            throw e;
        }
    }

    /** Of jobs that live still. One that cannot be ended keeps nobody from looking after the others. */
    private void askForRequestedEnds() {
        Instant now = ticker.now();
        Map<JobHandle, Watched> due = new LinkedHashMap<>();
        byHandle.forEach((handle, watched) -> {
            if (watched.mustAskForEnd(now)) {
                watched.askedForEnd(now);
                due.put(handle, watched);
            }
        });
        if (backend instanceof Withdrawing withdrawing) {
            Map<JobHandle, Watched> waiting = new LinkedHashMap<>(due);
            waiting.values().removeIf(watched -> !watched.withdrawing());
            due.keySet().removeAll(waiting.keySet());
            waiting.forEach((handle, watched) -> withdraw(withdrawing, handle, watched, now));
        }
        if (backend instanceof JointCancels joint && due.size() > 1) {
            askTogether(joint, due, now);
        } else {
            due.forEach((handle, watched) -> askAlone(handle, watched, now));
        }
    }

    private static void withdraw(Withdrawing withdrawing, JobHandle handle, Watched watched, Instant now) {
        try {
            withdrawing.withdraw(handle);
        } catch (BackendException e) {
            notAsked(watched, e, now);
        }
    }

    private static void askTogether(JointCancels joint, Map<JobHandle, Watched> due, Instant now) {
        try {
            Map<JobHandle, String> jobs = new LinkedHashMap<>();
            due.forEach(
                    (handle, watched) -> jobs.put(handle, watched.cancelledBy().orElse("")));
            joint.cancelAll(jobs).forEach((handle, why) -> notAsked(due.get(handle), why, now));
        } catch (BackendException e) {
            due.values().forEach(watched -> notAsked(watched, e, now));
        }
    }

    private void askAlone(JobHandle handle, Watched watched, Instant now) {
        try {
            Optional<String> by = watched.cancelledBy();
            if (by.isPresent()) {
                Attributing.cancel(backend, handle, by.get());
            } else {
                backend.cancel(handle);
            }
        } catch (BackendException e) {
            notAsked(watched, e, now);
        }
    }

    private static void notAsked(@Nullable Watched watched, BackendException why, Instant now) {
        if (watched == null) {
            return;
        }
        if (why instanceof BackendException.Rejected || why instanceof BackendException.Denied) {
            watched.refusedEnd(why);
        } else {
            watched.missedEnd(why, now);
        }
    }

    private void tellSeen(Watched watched, Optional<JobStatus> status, Instant now) {
        List<JobEvent> events = new ArrayList<>();
        watched.silence().heard(now).ifPresent(events::add);
        if (status.isPresent()) {
            events.addAll(watched.move(tracker -> tracker.seen(status.get(), now)));
            watched.tell(events);
            watched.keepIfBegun(now, backend instanceof Withdrawing);
            watched.endIfHopeless(now);
        } else {
            events.addAll(watched.move(tracker -> tracker.missed(now)));
            watched.tell(events);
            Optional<Outcome> lost = watched.move(tracker -> tracker.absent(now));
            lost.ifPresent(outcome -> watched.finish(Conclusion.result(watched, outcome, List.of(), now)));
        }
    }

    /** Gives the jobs whose logs hold more than was read. */
    private Set<JobHandle> readAll() throws BackendException {
        Map<StreamRef, Position> from = wanted();
        Set<StreamRef> silent = new HashSet<>(from.keySet());
        AtomicLong bytes = new AtomicLong();
        for (int reads = 0; reads < READS && bytes.get() < MOST_BYTES && !from.isEmpty(); reads++) {
            from = backend.readOn(from, (ref, tail) -> {
                silent.remove(ref);
                bytes.addAndGet(tail.bytes().length);
                take(ref, tail);
            });
        }
        silent.forEach(this::withoutNews);
        return from.keySet().stream().map(StreamRef::job).collect(Collectors.toSet());
    }

    private Map<StreamRef, Position> wanted() {
        Map<StreamRef, Position> from = new LinkedHashMap<>();
        byHandle.values().forEach(watched -> from.putAll(wanted(watched)));
        return from;
    }

    private static Map<StreamRef, Position> wanted(Watched watched) {
        return watched.over() || !watched.plan().logs() ? Map.of() : watched.move(Tracker::wanted);
    }

    private void withoutNews(StreamRef ref) {
        Watched watched = byHandle.get(ref.job());
        if (watched != null) {
            watched.move(tracker -> {
                tracker.readWithoutNews(ref.stream());
                return tracker;
            });
        }
    }

    private void take(StreamRef ref, Tail tail) {
        Watched watched = byHandle.get(ref.job());
        if (watched != null) {
            watched.tell(watched.move(tracker -> tracker.read(ref.stream(), tail)));
        }
    }
}
