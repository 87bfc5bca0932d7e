package io.jenkins.plugins.tao.monitor;

import io.jenkins.plugins.tao.backend.Backend;
import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.backend.Position;
import io.jenkins.plugins.tao.backend.Stream;
import io.jenkins.plugins.tao.backend.StreamRef;
import io.jenkins.plugins.tao.backend.Tail;
import io.jenkins.plugins.tao.job.JobHandle;
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
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * What follows from the end of a job: a result, or a new attempt. A job whose new attempt cannot be started waits alone;
 * those beside it go on.
 */
final class Conclusion {
    private static final int LAST_LINES = 100;
    private static final long LAST_BYTES = 64 * 1024L;
    private static final FailureRules RULES = FailureRules.load();

    private final Backend backend;
    private final Ticker ticker;

    Conclusion(Backend backend, Ticker ticker) {
        this.backend = backend;
        this.ticker = ticker;
    }

    /** Draws it when the job has ended and everything it wrote was read. */
    void drawFor(Watched watched) {
        Instant now = ticker.now();
        Optional<Outcome> outcome = watched.over() || !watched.mayGoOn(now)
                ? Optional.empty()
                : watched.move(tracker -> tracker.outcome(watched.cancelledBy(), now));
        if (outcome.isEmpty()) {
            return;
        }
        watched.tell(watched.move(Tracker::drain));
        if (outcome.get() instanceof Failed failed) {
            settle(watched, failed);
        } else {
            watched.finish(Results.of(watched, outcome.get(), List.of(), now));
        }
    }

    private void settle(Watched watched, Failed told) {
        Failed failed = told;
        List<String> lines = List.of();
        try {
            lines = lastLines(watched);
            failed = RULES.explain(told, lines);
            if (mayTryAgain(watched, failed)) {
                tryAgain(watched, failed);
                return;
            }
        } catch (BackendException.Rejected | BackendException.Denied e) {
            failed = withoutAttempt(failed, "A new attempt was refused: " + e.explain());
        } catch (BackendException e) {
            if (watched.missedAttempt(e, ticker.now())) {
                return;
            }
            failed = withoutAttempt(failed, "A new attempt could not be started: " + e.explain());
        }
        end(watched, failed, lines);
    }

    private static Failed withoutAttempt(Failed failed, String why) {
        return new Failed(failed.cause(), Sentences.join(failed.detail(), why));
    }

    private static boolean mayTryAgain(Watched watched, Failed failed) {
        return failed.cause().infrastructure()
                && watched.cancelledBy().isEmpty()
                && watched.move(Tracker::attempts).size() < watched.plan().retries();
    }

    private void tryAgain(Watched watched, Failed failed) throws BackendException {
        JobHandle next =
                backend.resubmit(watched.handle(), watched.plan().secrets().get(), nodesToAvoid(watched, failed));
        JobEvent event = watched.move(tracker -> tracker.next(failed, next, ticker.now()));
        watched.wentOn();
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
