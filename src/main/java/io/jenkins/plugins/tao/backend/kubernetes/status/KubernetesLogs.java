package io.jenkins.plugins.tao.backend.kubernetes.status;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.jenkins.plugins.tao.backend.BackendException.Unreachable;
import io.jenkins.plugins.tao.backend.Position;
import io.jenkins.plugins.tao.backend.Stream;
import io.jenkins.plugins.tao.backend.StreamRef;
import io.jenkins.plugins.tao.backend.Tail;
import io.jenkins.plugins.tao.backend.kubernetes.api.PodLogs;
import io.jenkins.plugins.tao.backend.kubernetes.options.KubernetesNames.Reference;
import io.jenkins.plugins.tao.backend.kubernetes.view.LogCursor;
import io.jenkins.plugins.tao.backend.kubernetes.view.LogReply;
import io.jenkins.plugins.tao.backend.kubernetes.view.PodView;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.payload.PayloadLog;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import lombok.RequiredArgsConstructor;

/**
 * The logs of a job's pods as three streams: output, status, and what the nodes tell of their GPUs. Pods follow each other by rank, and each line of a job with
 * several begins with its rank. A position holds the time of the last line of each pod, so that reading goes on behind
 * it whatever broke in between.
 */
@RequiredArgsConstructor
public final class KubernetesLogs {
    private static final long MAX_BYTES = 1L << 20;
    private static final int LAST_LINES = 2000;
    private static final char AFTER_BASE = ';';

    private final PodLogs api;
    private boolean missedAnEnd;

    /** Reads on in {@code wanted} streams of one job; a stream without news is absent. */
    Map<StreamRef, Tail> read(JobHandle job, List<PodView> pods, Map<Stream, Position> wanted) throws Unreachable {
        missedAnEnd = false;
        Map<StreamRef, Tail> tails = new HashMap<>();
        Map<Request, Chunk> known = new HashMap<>();
        for (Map.Entry<Stream, Position> each : wanted.entrySet()) {
            if (each.getKey() != Stream.ERR) {
                tail(job, pods, each.getKey(), each.getValue(), known)
                        .ifPresent(tail -> tails.put(new StreamRef(job, each.getKey()), tail));
            }
        }
        return tails;
    }

    /** The same of a job whose pods are members: one after another. */
    Map<StreamRef, Tail> readMembers(JobHandle job, MemberFollow.Members members, Map<Stream, Position> wanted)
            throws Unreachable {
        missedAnEnd = false;
        Map<StreamRef, Tail> tails = new HashMap<>();
        Map<Request, Chunk> known = new HashMap<>();
        for (Map.Entry<Stream, Position> each : wanted.entrySet()) {
            if (each.getKey() == Stream.OUT || each.getKey() == Stream.MACHINE) {
                new MemberFollow(this, job, members, each.getKey())
                        .read(each.getValue(), known)
                        .ifPresent(tail -> tails.put(new StreamRef(job, each.getKey()), tail));
            }
        }
        return tails;
    }

    /** Whether the log of a pod that has ended did not come when it was read last. */
    boolean missedAnEnd() {
        return missedAnEnd;
    }

    /** One reading of a pod serves both streams while they are at the same place. */
    record Request(String pod, Optional<LogCursor.Mark> mark) {}

    /** @param missed whether it may be there, and did not come */
    record Chunk(PayloadLog.Piece piece, Optional<LogCursor.Mark> next, boolean more, boolean missed) {}

    private Optional<Tail> tail(
            JobHandle job, List<PodView> pods, Stream stream, Position from, Map<Request, Chunk> known)
            throws Unreachable {
        int semicolon = from.file().indexOf(AFTER_BASE);
        long base = semicolon > 0 ? Long.parseLong(from.file().substring(0, semicolon)) : 0;
        LogCursor cursor = LogCursor.parse(from.file().substring(semicolon + 1));
        if (from.byteOffset() < base) {
            return Optional.of(rewound(job, pods, from, base - from.byteOffset()));
        }
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        boolean more = false;
        boolean moved = false;
        for (PodView pod : pods) {
            Chunk chunk = chunk(job, pod, cursor.of(pod.name()), known);
            append(bytes, stream, chunk.piece(), prefix(pods, pod));
            if (stream == Stream.MACHINE && chunk.next().isPresent()) {
                bytes.writeBytes(image(pod, prefix(pods, pod)));
            }
            more |= chunk.more();
            if (chunk.next().isPresent()) {
                cursor = cursor.with(pod.name(), chunk.next().get());
                moved = true;
            }
        }
        long end = from.byteOffset() + bytes.size();
        Position next = new Position(end + ";" + cursor.render(), end);
        return moved ? Optional.of(new Tail(bytes.toByteArray(), next, false, more)) : Optional.empty();
    }

    Chunk chunk(JobHandle job, PodView pod, Optional<LogCursor.Mark> mark, Map<Request, Chunk> known)
            throws Unreachable {
        Request request = new Request(pod.name(), mark);
        Chunk chunk = known.get(request);
        if (chunk == null) {
            chunk = chunk(job, pod, mark, OptionalInt.empty());
            known.put(request, chunk);
        }
        return chunk;
    }

    /** The end of what was read already, about {@code wanted} bytes of it: logs cannot be read backwards. */
    Tail rewound(JobHandle job, List<PodView> pods, Position from, long wanted) throws Unreachable {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (PodView pod : pods) {
            Chunk chunk = chunk(job, pod, Optional.empty(), OptionalInt.of(LAST_LINES));
            append(all, Stream.OUT, chunk.piece(), prefix(pods, pod));
        }
        byte[] bytes = all.toByteArray();
        int begin = (int) Math.max(0, bytes.length - wanted);
        byte[] last = java.util.Arrays.copyOfRange(bytes, begin, bytes.length);
        return new Tail(last, from, false, false);
    }

    private Chunk chunk(JobHandle job, PodView pod, Optional<LogCursor.Mark> mark, OptionalInt tail)
            throws Unreachable {
        PayloadLog log = PayloadLog.ofBytes(job.key());
        PodLogs.PodLog opened = pod.hasLog() && !pod.isLost()
                ? api.open(Reference.of(pod.pod()), mark.map(LogCursor.Mark::at), tail)
                : new PodLogs.PodLog.None("");
        boolean over = pod.isOver() || pod.commandEnded();
        missedAnEnd |= over && opened instanceof PodLogs.PodLog.Unknown;
        if (!(opened instanceof PodLogs.PodLog.Opened text)) { // one pod without a log must not hide the others'
            boolean missed = opened instanceof PodLogs.PodLog.Unknown;
            return new Chunk(log.split(new byte[0], true), Optional.empty(), false, missed);
        }
        try (BufferedInputStream in = new BufferedInputStream(text.lines(), 1 << 16)) {
            LogReply reply = LogReply.read(in, mark, over, MAX_BYTES);
            PayloadLog.Piece piece = log.split(joined(reply.lines()), over && !reply.more());
            return new Chunk(piece, marked(reply.lines(), piece.consumed(), mark), reply.more(), false);
        } catch (IOException e) {
            throw new Unreachable(
                    "The log of pod '" + pod.name() + "' broke off: " + e.getMessage() + ".",
                    "It is read on from the last line.",
                    e);
        }
    }

    private static byte[] joined(List<LogReply.Line> lines) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        lines.forEach(line -> bytes.writeBytes(line.text()));
        return bytes.toByteArray();
    }

    /** The mark behind the last line of which nothing is left to be read. */
    private static Optional<LogCursor.Mark> marked(
            List<LogReply.Line> lines, int consumed, Optional<LogCursor.Mark> before) {
        Optional<LogCursor.Mark> mark = before;
        int end = 0;
        boolean moved = false;
        for (LogReply.Line line : lines) {
            end += line.text().length;
            if (end > consumed) {
                break;
            }
            mark = Optional.of(LogCursor.Mark.after(mark, line.at()));
            moved = true;
        }
        return moved ? mark : Optional.empty();
    }

    private static String prefix(List<PodView> pods, PodView pod) {
        boolean several = pods.stream().mapToInt(PodView::rank).distinct().count() > 1;
        return several ? "[" + pod.rank() + "] " : "";
    }

    private static void append(ByteArrayOutputStream bytes, Stream stream, PayloadLog.Piece piece, String prefix) {
        if (stream == Stream.STATUS) {
            bytes.writeBytes(piece.status());
        } else if (stream == Stream.MACHINE) {
            bytes.writeBytes(prefixed(piece.machine(), prefix));
        } else {
            bytes.writeBytes(prefixed(piece.output(), prefix));
        }
    }

    /** The line that names the image of a pod; empty where that is not known. */
    static byte[] image(PodView pod, String prefix) {
        return pod.imageDigest()
                .map(digest -> (prefix + "image " + digest + "\n").getBytes(US_ASCII))
                .orElse(new byte[0]);
    }

    static byte[] prefixed(byte[] output, String prefix) {
        if (prefix.isEmpty() || output.length == 0) {
            return output;
        }
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        boolean begins = true;
        for (byte each : output) {
            if (begins) {
                bytes.writeBytes(prefix.getBytes(US_ASCII));
            }
            bytes.write(each);
            begins = each == '\n';
        }
        if (!begins) {
            bytes.write('\n');
        }
        return bytes.toByteArray();
    }

    /**
     * What became of the whole log of a pod.
     *
     * @param why there is none; empty when it was copied
     * @param unknown whether it may be there all the same, because no answer came
     * @param begins the time of its first line, where it is long: a node may keep the newest part of such a log alone
     */
    public record Copied(Optional<String> why, boolean unknown, Optional<Instant> begins) {}

    /** Copies the whole log of a pod, with its rank before each line where {@code pods} are several. */
    public Copied copy(JobHandle job, List<PodView> pods, PodView pod, OutputStream out, OutputStream status)
            throws IOException {
        if (pod.isLost()) {
            return new Copied(Optional.of("it is gone with node " + pod.node().orElse("?")), false, Optional.empty());
        }
        PodLogs.PodLog opened = api.open(Reference.of(pod.pod()), Optional.empty(), OptionalInt.empty());
        if (opened instanceof PodLogs.PodLog.Opened text) {
            return new Copied(Optional.empty(), false, copy(job, text.lines(), prefix(pods, pod), out, status));
        }
        return new Copied(Optional.of(why(opened)), opened instanceof PodLogs.PodLog.Unknown, Optional.empty());
    }

    private static String why(PodLogs.PodLog log) {
        if (log instanceof PodLogs.PodLog.Refused refused) {
            return refused.why();
        }
        return log instanceof PodLogs.PodLog.Unknown unknown
                ? "no answer: " + unknown.why().getMessage()
                : "it has none: " + ((PodLogs.PodLog.None) log).why();
    }

    private static Optional<Instant> copy(
            JobHandle job, InputStream lines, String prefix, OutputStream out, OutputStream status) throws IOException {
        PayloadLog log = PayloadLog.ofBytes(job.key());
        try (BufferedInputStream in = new BufferedInputStream(lines, 1 << 16)) {
            byte[] rest = new byte[0];
            boolean more = true;
            Optional<Instant> begins = Optional.empty();
            while (more) {
                LogReply reply = LogReply.read(in, Optional.empty(), true, MAX_BYTES);
                more = reply.more();
                if (more && begins.isEmpty()) {
                    begins = reply.lines().stream().map(LogReply.Line::at).findFirst();
                }
                ByteArrayOutputStream bytes = new ByteArrayOutputStream();
                bytes.writeBytes(rest);
                bytes.writeBytes(joined(reply.lines()));
                byte[] all = bytes.toByteArray();
                PayloadLog.Piece piece = log.split(all, !more);
                out.write(prefixed(piece.output(), prefix));
                status.write(piece.status());
                rest = java.util.Arrays.copyOfRange(all, piece.consumed(), all.length);
            }
            return begins;
        }
    }

    /** The last lines that a container wrote before it was started again; empty when there are none. */
    Optional<String> earlier(PodView pod, int lines) {
        if (!(api.earlier(Reference.of(pod.pod()), lines) instanceof PodLogs.PodLog.Opened text)) {
            return Optional.empty(); // a diagnosis is best effort
        }
        try (InputStream in = text.lines()) {
            return Optional.of(new String(in.readNBytes((int) MAX_BYTES), java.nio.charset.StandardCharsets.UTF_8));
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    /** The last lines of a pod's log, for a person. */
    List<String> last(JobHandle job, PodView pod, int lines) throws Unreachable {
        Chunk chunk = chunk(job, pod, Optional.empty(), OptionalInt.of(lines));
        return new String(chunk.piece().output(), java.nio.charset.StandardCharsets.UTF_8)
                .lines()
                .toList();
    }
}
