package io.jenkins.plugins.tao.backend.lepton;

import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.backend.Position;
import io.jenkins.plugins.tao.backend.Stream;
import io.jenkins.plugins.tao.backend.Tail;
import io.jenkins.plugins.tao.job.JobHandle;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/** Reads logs from the service's store, forward and from any saved position; nothing is kept in between. */
final class LeptonLog {
    static final int PAGE = 2000;
    private static final int PASSED = 5;
    private static final int EXITS = 200;
    private static final long SLACK = 3_600_000_000_000L;
    private static final long NANOS = 1_000_000_000L;

    private final LeptonApi api;
    private final Map<LogQuery, List<LogLine>> round = new HashMap<>();

    /** For one round: what two streams of a job both need is asked for once. */
    LeptonLog(LeptonApi api) {
        this.api = api;
    }

    Optional<Tail> read(JobHandle job, Stream stream, Position from) throws BackendException {
        LogCursor cursor = LogCursor.parse(from);
        LogPage page = next(job, stream, cursor);
        byte[] bytes = page.bytes();
        boolean more = page.isFull() && !page.reached().isEmpty();
        byte[] earlier = from.byteOffset() < cursor.base() ? earlier(job, stream, from, cursor) : new byte[0];
        if (bytes.length == 0 && earlier.length == 0 && !more) {
            return Optional.empty();
        }
        Position next = cursor.moved(page.reached(), bytes.length).position();
        return Optional.of(new Tail(joined(earlier, bytes), next, false, more));
    }

    /**
     * The first page that holds something new. Late lines are looked for in a few pages that were read before; then what
     * is new goes before what may be late. The store counts in nanoseconds, so more lines of one than a page holds are lost.
     */
    private LogPage next(JobHandle job, Stream stream, LogCursor cursor) throws BackendException {
        long start = cursor.start(first(job));
        for (int passed = 1; ; passed++) {
            List<LogLine> lines = lines(LogQuery.from(job.nativeId(), start, PAGE));
            LogPage page = LogPage.of(job.key(), stream, lines, cursor);
            if (!page.isFull() || !page.reached().isEmpty()) {
                return page;
            }
            long last = passed < PASSED ? lines.get(lines.size() - 1).at() : cursor.newest();
            start = Math.max(start + 1, last);
        }
    }

    /** The last bytes before a cursor: the log store is asked backward, for it knows no bytes. */
    private byte[] earlier(JobHandle job, Stream stream, Position from, LogCursor cursor) throws BackendException {
        LogQuery query = LogQuery.last(job.nativeId(), first(job), OptionalLong.of(cursor.newest() + 1), PAGE);
        LogCursor none = new LogCursor(Map.of(), 0);
        byte[] bytes = LogPage.of(job.key(), stream, lines(query), none).bytes();
        long wanted = Math.min(cursor.base() - from.byteOffset(), bytes.length);
        return Arrays.copyOfRange(bytes, (int) (bytes.length - wanted), bytes.length);
    }

    private static byte[] joined(byte[] first, byte[] second) {
        byte[] all = Arrays.copyOf(first, first.length + second.length);
        System.arraycopy(second, 0, all, first.length, second.length);
        return all;
    }

    /** The last {@code most} lines, the oldest first. */
    List<LogLine> last(JobHandle job, int most) throws BackendException {
        return lines(LogQuery.last(job.nativeId(), first(job), OptionalLong.empty(), most));
    }

    OptionalInt exitCode(JobHandle job, int workers) throws BackendException {
        LogQuery query = LogQuery.last(job.nativeId(), first(job), OptionalLong.empty(), EXITS)
                .with(LogPage.mark(job.key()) + "exit");
        return LogPage.exitCode(job.key(), lines(query), workers);
    }

    private List<LogLine> lines(LogQuery query) throws BackendException {
        List<LogLine> known = round.get(query);
        if (known == null) {
            known = LogLine.read(query.job(), api.logs(query), query.backward());
            round.put(query, known);
        }
        return known;
    }

    /** A little before the job was made, for clocks differ. */
    private static long first(JobHandle job) {
        return Math.max(1, job.submittedAt().getEpochSecond() * NANOS - SLACK);
    }
}
