package io.jenkins.plugins.tao.backend.lepton.logs;

import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.backend.BackendException.Unreachable;
import io.jenkins.plugins.tao.backend.BackendException.Unreadable;
import io.jenkins.plugins.tao.backend.Position;
import io.jenkins.plugins.tao.backend.Stream;
import io.jenkins.plugins.tao.backend.Tail;
import io.jenkins.plugins.tao.backend.lepton.api.LeptonApi;
import io.jenkins.plugins.tao.backend.lepton.view.LogCursor;
import io.jenkins.plugins.tao.backend.lepton.view.LogLine;
import io.jenkins.plugins.tao.backend.lepton.view.LogQuery;
import io.jenkins.plugins.tao.backend.lepton.view.ReplicaCursor;
import io.jenkins.plugins.tao.http.HttpApi;
import io.jenkins.plugins.tao.job.JobHandle;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Reads logs from the service's store, the oldest line first and from any saved position; nothing is kept in between. A
 * log that the store refuses is read from its workers, from the beginning on.
 */
public final class LeptonLog {
    static final int PAGE = 2000;
    /** Characters that a page should have at most, so that its answer is shorter than one may be. */
    static final int PAGE_LENGTH = 8 << 20;

    /** By how much fewer lines are asked for when an answer was too long. */
    private static final int SMALLER = 4;

    private static final String LEFT_OUT =
            "tao: a line of this log is left out here: it is longer than an answer of the log store may be";
    private static final int PASSED = 5 * PAGE;
    private static final int ASKED = 100;
    private static final int EXITS = 200;
    private static final long NANOS = 1_000_000_000L;
    /** Clocks differ, and a line may be stamped by the machine that wrote it. */
    private static final long SLACK = 3600 * NANOS;

    private final LeptonApi api;
    private final ReplicaLogs replicas;
    private final Map<LogQuery, List<LogLine>> round = new HashMap<>();

    /** For one round: what two streams of a job both need is asked for once. */
    public LeptonLog(LeptonApi api) {
        this.api = api;
        replicas = new ReplicaLogs(api);
    }

    public Optional<Tail> read(JobHandle job, Stream stream, Position from) throws BackendException {
        if (ReplicaCursor.isOne(from)) {
            return replicas.read(job, stream, from);
        }
        LogCursor cursor = LogCursor.parse(from);
        try {
            return fromStore(job, stream, from, cursor);
        } catch (Unreachable e) {
            throw e;
        } catch (BackendException refused) {
            if (!cursor.marks().isEmpty()) {
                throw refused;
            }
            return orElse(refused, () -> replicas.read(job, stream, Position.START));
        }
    }

    /** Another way to a log. */
    @FunctionalInterface
    public interface OtherWay<T> {
        T take() throws BackendException;
    }

    /** What the other way brings; when there is none, the refusal of the first is what a person can mend. */
    private static <T> T orElse(BackendException refused, OtherWay<T> other) throws BackendException {
        try {
            return other.take();
        } catch (BackendException e) {
            refused.addSuppressed(e);
            throw refused;
        }
    }

    private Optional<Tail> fromStore(JobHandle job, Stream stream, Position from, LogCursor cursor)
            throws BackendException {
        Found found = next(job, stream, cursor);
        byte[] bytes = found.page().bytes();
        boolean more = !found.page().reached().isEmpty() && goesOn(job, found.window());
        byte[] earlier = from.byteOffset() < cursor.base() ? earlier(job, stream, from, cursor) : new byte[0];
        if (bytes.length == 0 && earlier.length == 0 && !more) {
            return Optional.empty();
        }
        long span = more ? found.window().nextSpan(found.lines()) : 0;
        Position next = cursor.moved(found.page().reached(), bytes.length, span).position();
        return Optional.of(new Tail(joined(earlier, bytes), next, false, more));
    }

    /** A page, and the range that it is of. */
    private record Found(LogPage page, LogWindow window, List<LogLine> lines) {}

    /**
     * The first page that holds something new. Late lines are looked for in a few pages that were read before; then what
     * is new goes before what may be late. The store counts in nanoseconds, so more lines of one than a page holds are lost.
     */
    private Found next(JobHandle job, Stream stream, LogCursor cursor) throws BackendException {
        LogWindow window = LogWindow.of(cursor.start(first(job)), cursor.span(), now(job));
        int passed = 0;
        int limit = PAGE;
        for (int asked = 1; ; asked++) {
            Answer answer = answer(LogQuery.between(job.nativeId(), window.from(), window.to(), limit));
            limit = Math.max(1, answer.limit());
            if (answer.isFull() && window.divisible()) {
                window = window.older(answer.oldest(window.to()));
                continue;
            }
            List<LogLine> lines = answer.orLeftOut(window.from());
            LogPage page = LogPage.of(job.key(), stream, lines, cursor);
            if (window.reachesNow() || !page.reached().isEmpty() || asked >= ASKED) {
                return new Found(page, window, lines);
            }
            passed += lines.size();
            window = window.behind(passed < PASSED ? 0 : cursor.newest(), lines);
        }
    }

    private boolean goesOn(JobHandle job, LogWindow window) throws BackendException {
        return !window.reachesNow()
                && (window.crowd() > window.to()
                        || !answer(LogQuery.between(job.nativeId(), window.to(), window.now(), 1))
                                .isEmpty());
    }

    /** The last bytes before a cursor: the log store is asked backward, for it knows no bytes. */
    private byte[] earlier(JobHandle job, Stream stream, Position from, LogCursor cursor) throws BackendException {
        LogQuery query = LogQuery.between(job.nativeId(), first(job), cursor.newest() + 1, PAGE);
        byte[] bytes = LogPage.of(job.key(), stream, answer(query).lines(), LogCursor.NONE)
                .bytes();
        long wanted = Math.min(cursor.base() - from.byteOffset(), bytes.length);
        return Arrays.copyOfRange(bytes, (int) (bytes.length - wanted), bytes.length);
    }

    private static byte[] joined(byte[] first, byte[] second) {
        byte[] all = Arrays.copyOf(first, first.length + second.length);
        System.arraycopy(second, 0, all, first.length, second.length);
        return all;
    }

    /** The last {@code most} lines, the oldest first. */
    public List<LogLine> last(JobHandle job, int most) throws BackendException {
        try {
            return answer(LogQuery.between(job.nativeId(), first(job), now(job), most))
                    .lines();
        } catch (BackendException refused) {
            List<LogLine> all = orElse(refused, () -> replicas.lines(job));
            return all.subList(Math.max(0, all.size() - most), all.size());
        }
    }

    /**
     * The exit code of a job that has ended, once its log tells it.
     *
     * @param patient whether a store that does not answer now is waited for, and its workers not asked instead
     */
    public OptionalInt exitCode(JobHandle job, int workers, boolean patient) throws BackendException {
        LogQuery query =
                LogQuery.between(job.nativeId(), first(job), now(job), EXITS).with(LogPage.mark(job.key()) + "exit");
        List<LogLine> lines;
        try {
            lines = lines(query);
        } catch (BackendException refused) {
            if (patient && refused instanceof Unreachable) {
                throw refused;
            }
            lines = orElse(refused, () -> replicas.lines(job));
        }
        return LogPage.exitCode(job.key(), lines, workers);
    }

    /**
     * Lines of a range, the newest when there are more.
     *
     * @param limit how many there could have been; 0 when a single line is too long for an answer
     */
    private record Answer(List<LogLine> lines, int limit) {
        boolean isFull() {
            return lines.size() >= limit;
        }

        boolean isEmpty() {
            return lines.isEmpty() && limit > 0;
        }

        /** When the oldest of them was written; {@code otherwise} when none could be read. */
        long oldest(long otherwise) {
            return lines.isEmpty() ? otherwise : lines.get(0).at();
        }

        /** A line that is too long for any answer is named in its place. */
        List<LogLine> orLeftOut(long at) {
            return limit > 0 ? lines : List.of(new LogLine(at, 0, LEFT_OUT));
        }
    }

    /** Asks for fewer lines as long as they are too long for one answer. */
    private Answer answer(LogQuery query) throws BackendException {
        int limit = query.limit();
        while (true) {
            try {
                return new Answer(lines(query.atMost(limit)), limit);
            } catch (Unreadable e) {
                if (!HttpApi.isTooLong(e)) {
                    throw e;
                }
                if (limit == 1) {
                    return new Answer(List.of(), 0);
                }
                limit = Math.max(1, limit / SMALLER);
            }
        }
    }

    private List<LogLine> lines(LogQuery query) throws BackendException {
        List<LogLine> known = round.get(query);
        if (known == null) {
            known = LogLine.read(query.job(), api.logs(query), true);
            round.put(query, known);
        }
        return known;
    }

    /** A little before the job was made. */
    private static long first(JobHandle job) {
        return Math.max(1, job.submittedAt().getEpochSecond() * NANOS - SLACK);
    }

    /** A little ahead of the service's clock; without one, as long as no job lives. */
    private long now(JobHandle job) throws BackendException {
        Instant otherwise = job.submittedAt().plus(Duration.ofDays(60));
        return api.now(otherwise).getEpochSecond() * NANOS + SLACK;
    }
}
