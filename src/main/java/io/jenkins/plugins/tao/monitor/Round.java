package io.jenkins.plugins.tao.monitor;

import io.jenkins.plugins.tao.backend.Backend;
import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.backend.Position;
import io.jenkins.plugins.tao.backend.Stream;
import io.jenkins.plugins.tao.backend.StreamRef;
import io.jenkins.plugins.tao.backend.Tail;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.JobStatus;
import io.jenkins.plugins.tao.job.Outcome;
import io.jenkins.plugins.tao.job.Outcome.Failed;
import io.jenkins.plugins.tao.job.Sentences;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** One round of one target: wishes, states, streams and ends of all its jobs, in a few calls. */
final class Round {
    private static final int LAST_LINES = 100;
    private static final long LAST_BYTES = 64 * 1024L;
    private static final FailureRules RULES = FailureRules.load();

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
        askForWishedEnds();
        Map<JobHandle, JobStatus> seen = backend.poll(Set.copyOf(byHandle.keySet()));
        Instant now = ticker.now();
        byHandle.forEach((handle, watched) -> tellSeen(watched, Optional.ofNullable(seen.get(handle)), now));
        Set<JobHandle> unread = readAll();
        for (Watched watched : byHandle.values()) {
            if (!unread.contains(watched.handle())) {
                settle(watched);
            }
        }
        return !unread.isEmpty();
    }

    private void askForWishedEnds() throws BackendException {
        Instant now = ticker.now();
        for (Watched watched : byHandle.values()) {
            if (watched.mustAskForEnd(now)) {
                watched.askedForEnd(now);
                try {
                    backend.cancel(watched.handle());
                } catch (BackendException.Rejected e) {
                    watched.refusedEnd(e);
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
        return watched.over() ? Map.of() : watched.move(Tracker::wanted);
    }

    private void take(StreamRef ref, Tail tail) {
        Watched watched = byHandle.get(ref.job());
        if (watched != null) {
            Pieces.of(tail).forEach(piece -> watched.tell(watched.move(tracker -> tracker.read(ref.stream(), piece))));
        }
    }

    private void settle(Watched watched) throws BackendException {
        Instant now = ticker.now();
        Optional<Outcome> outcome = watched.over()
                ? Optional.empty()
                : watched.move(tracker -> tracker.outcome(watched.cancelledBy(), now));
        if (outcome.isEmpty()) {
            return;
        }
        watched.tell(watched.move(Tracker::drain));
        if (outcome.get() instanceof Failed failed) {
            List<String> lines = lastLines(watched);
            boolean several = watched.move(Tracker::status).members().isPresent();
            settleFailure(watched, several ? failed : RULES.explain(failed, lines), lines);
        } else {
            watched.finish(Results.of(watched, outcome.get(), List.of(), now));
        }
    }

    private void settleFailure(Watched watched, Failed failed, List<String> lines) throws BackendException {
        if (mayTryAgain(watched, failed)) {
            tryAgain(watched, failed, lines);
        } else {
            end(watched, failed, lines);
        }
    }

    private static boolean mayTryAgain(Watched watched, Failed failed) {
        return failed.cause().infrastructure()
                && watched.cancelledBy().isEmpty()
                && watched.move(Tracker::attempts).size() < watched.plan().retries();
    }

    private void tryAgain(Watched watched, Failed failed, List<String> lines) throws BackendException {
        JobHandle next;
        try {
            next = backend.resubmit(watched.handle(), watched.plan().secrets().get(), nodesToAvoid(watched, failed));
        } catch (BackendException.Rejected e) {
            end(
                    watched,
                    new Failed(
                            failed.cause(),
                            Sentences.join(failed.detail(), "A new attempt was refused: " + e.explain())),
                    lines);
            return;
        }
        JobEvent event = watched.move(tracker -> tracker.next(failed, next, ticker.now()));
        watched.tell(List.of(event));
    }

    /** The machine is only known to be the bad one when it was alone, or when the log names it. */
    private static Set<String> nodesToAvoid(Watched watched, Failed failed) {
        List<String> nodes = watched.move(Tracker::status).nodes();
        if (failed.cause() == Outcome.Cause.PREEMPTED) {
            return Set.of();
        }
        return nodes.size() == 1
                ? Set.copyOf(nodes)
                : nodes.stream().filter(node -> names(failed.detail(), node)).collect(Collectors.toSet());
    }

    private static boolean names(String text, String node) {
        return Pattern.compile("(?<![\\w-])" + Pattern.quote(node) + "(?![\\w-])")
                .matcher(text)
                .find();
    }

    private void end(Watched watched, Failed failed, List<String> lines) {
        boolean preempted = failed.cause() == Outcome.Cause.PREEMPTED;
        Outcome told = preempted ? new Outcome.Cancelled("the scheduler (preempted)") : failed;
        int from = Math.max(0, lines.size() - LAST_LINES);
        watched.finish(Results.of(watched, told, lines.subList(from, lines.size()), ticker.now()));
    }

    /** Reads the ends of the logs once more instead of keeping them in memory while the job runs. */
    private List<String> lastLines(Watched watched) throws BackendException {
        Map<StreamRef, Position> from = new LinkedHashMap<>();
        watched.move(Tracker::wanted).forEach((ref, next) -> {
            if (ref.stream() != Stream.STATUS && next.byteOffset() > 0) {
                from.put(ref, new Position(next.file(), Math.max(0, next.byteOffset() - LAST_BYTES)));
            }
        });
        List<String> lines = new ArrayList<>();
        Map<StreamRef, Tail> tails = from.isEmpty() ? Map.of() : backend.read(from);
        for (Stream stream : List.of(Stream.OUT, Stream.ERR)) {
            Tail tail = tails.get(new StreamRef(watched.handle(), stream));
            if (tail != null) {
                lines.addAll(
                        new String(tail.bytes(), StandardCharsets.UTF_8).lines().toList());
            }
        }
        return lines;
    }
}
