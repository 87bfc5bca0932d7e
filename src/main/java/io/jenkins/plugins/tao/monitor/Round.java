package io.jenkins.plugins.tao.monitor;

import io.jenkins.plugins.tao.backend.Backend;
import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.backend.Position;
import io.jenkins.plugins.tao.backend.StreamRef;
import io.jenkins.plugins.tao.backend.Tail;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.JobStatus;
import io.jenkins.plugins.tao.job.Outcome;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.stream.Collectors;

/** One round of one target: wishes, states, streams and ends of all its jobs, in a few calls. */
final class Round {
    private final Backend backend;
    private final Ticker ticker;
    private final Executor io;
    private final Map<JobHandle, Watched> byHandle = new LinkedHashMap<>();

    private Round(Backend backend, Ticker ticker, Executor io) {
        this.backend = backend;
        this.ticker = ticker;
        this.io = io;
    }

    /** The rounds for {@code watches}: one, and another where a job is watched twice, for each reads at its own place. */
    static List<Round> of(Backend backend, List<Watched> watches, Ticker ticker, Executor io) {
        List<Round> rounds = new ArrayList<>();
        for (Watched watched : watches) {
            JobHandle handle = watched.handle();
            Round free = rounds.stream()
                    .filter(round -> !round.byHandle.containsKey(handle))
                    .findFirst()
                    .orElseGet(() -> {
                        Round round = new Round(backend, ticker, io);
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
        Map<JobHandle, JobStatus> seen = backend.poll(Set.copyOf(byHandle.keySet()));
        Instant now = ticker.now();
        byHandle.forEach((handle, watched) -> tellSeen(watched, Optional.ofNullable(seen.get(handle)), now));
        askForWishedEnds();
        Set<JobHandle> unread = readAll();
        Conclusion conclusion = new Conclusion(backend, ticker);
        for (Watched watched : byHandle.values()) {
            if (!unread.contains(watched.handle())) {
                conclusion.drawFor(watched);
            }
        }
        return !unread.isEmpty();
    }

    /** Of jobs that live still. One that cannot be ended keeps nobody from looking after the others. */
    private void askForWishedEnds() {
        Instant now = ticker.now();
        for (Watched watched : byHandle.values()) {
            if (watched.mustAskForEnd(now)) {
                watched.askedForEnd(now);
                try {
                    backend.cancel(watched.handle());
                } catch (BackendException.Rejected | BackendException.Denied e) {
                    watched.refusedEnd(e);
                } catch (BackendException e) {
                    watched.missedEnd(e, now);
                }
            }
        }
    }

    private static void tellSeen(Watched watched, Optional<JobStatus> status, Instant now) {
        List<JobEvent> events = new ArrayList<>();
        watched.silence().heard(now).ifPresent(events::add);
        if (status.isPresent()) {
            events.addAll(watched.move(tracker -> tracker.seen(status.get(), now)));
            watched.tell(events);
        } else {
            watched.tell(events);
            Optional<Outcome> lost = watched.move(tracker -> tracker.absent(now));
            lost.ifPresent(outcome -> watched.finish(Results.of(watched, outcome, List.of(), now)));
        }
    }

    private Set<JobHandle> readAll() throws BackendException {
        Map<StreamRef, Position> from = new LinkedHashMap<>();
        byHandle.values().forEach(watched -> from.putAll(wanted(watched)));
        return new ReadAhead(backend::read, io)
                .readAll(from, this::take).keySet().stream().map(StreamRef::job).collect(Collectors.toSet());
    }

    private static Map<StreamRef, Position> wanted(Watched watched) {
        return watched.over() || !watched.plan().logs() ? Map.of() : watched.move(Tracker::wanted);
    }

    private void take(StreamRef ref, Tail tail) {
        Watched watched = byHandle.get(ref.job());
        if (watched != null) {
            Pieces.of(tail).forEach(piece -> watched.tell(watched.move(tracker -> tracker.read(ref.stream(), piece))));
        }
    }
}
