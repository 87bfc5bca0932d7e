package io.jenkins.plugins.tao.remote.shell;

import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.backend.BackendException.Unreachable;
import io.jenkins.plugins.tao.backend.BackendException.Unreadable;
import io.jenkins.plugins.tao.backend.Position;
import io.jenkins.plugins.tao.backend.Tail;
import io.jenkins.plugins.tao.remote.host.Host;
import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads what {@link TailScript} answers while it comes: for each stream with news a line of numbers, then that many raw
 * bytes. The bytes go straight to where they stay, for a log may have more of them than the rest of us needs memory. Those of the
 * last entry, where it is long, are handed on in pieces. The end of the answer would follow a file that shrank while it was read: as
 * many bytes as that has are always kept back.
 */
public final class TailReply extends OutputStream {
    private static final Pattern HEADER =
            Pattern.compile("(tail|long) (\\d{1,9}) ([01]) (\\d{1,18}) (\\d{1,9}) (\\d{1,18}) (.+)");
    private static final String END = "tail-end";
    private static final int KEPT_BACK = END.length() + 2;
    private static final int LONGEST_HEADER = 16 * 1024;
    private static final byte[] NOTHING = new byte[0];

    private final BiConsumer<Integer, Tail> taker;
    private final ByteArrayOutputStream line = new ByteArrayOutputStream();
    private @Nullable Entry entry;
    /** The entry before the next header, once all its bytes have come. */
    private @Nullable Entry complete;
    /** A piece of a long entry, kept until enough has come behind it. */
    private byte[] waiting = NOTHING;

    private byte[] content = NOTHING;
    private int filled;
    private boolean ended;
    private boolean broken;
    private boolean handedOn;

    /** The numbers before the bytes of one file; {@code from} moves on as they are handed on. */
    private record Entry(boolean isLong, int number, boolean restarted, long from, int length, long size, String file) {
        static Entry of(Matcher header) {
            return new Entry(
                    header.group(1).equals("long"),
                    Integer.parseInt(header.group(2)),
                    header.group(3).equals("1"),
                    Long.parseLong(header.group(4)),
                    Integer.parseInt(header.group(5)),
                    Long.parseLong(header.group(6)),
                    header.group(7));
        }

        boolean isTooLong() {
            return length > (isLong ? TailScript.LONG_BYTES : TailScript.ALL_BYTES);
        }

        Tail tail(byte[] bytes) {
            long to = from + bytes.length;
            return new Tail(bytes, new Position(file, to), restarted, to < size);
        }

        Entry after(int bytes) {
            return new Entry(isLong, number, false, from + bytes, length - bytes, size, file);
        }
    }

    TailReply(BiConsumer<Integer, Tail> taker) {
        this.taker = taker;
    }

    /**
     * Reads on in all these streams.
     *
     * @param handedOn whether a long log is handed on in pieces while it comes
     * @param taker gets the news of a stream by its number in {@code requests}
     * @throws BackendException if the answer broke off, or a file shrank while it was read: ask again; not if a part of the last
     *     stream was handed on before
     */
    public static void ask(
            Host host,
            List<TailScript.Request> requests,
            Duration limit,
            boolean handedOn,
            BiConsumer<Integer, Tail> taker)
            throws BackendException {
        TailReply reply = new TailReply(taker);
        try {
            host.stream(TailScript.render(requests, handedOn), reply, limit);
            reply.end();
        } catch (Unreachable | Unreadable e) {
            if (!reply.handedOn) {
                throw e;
            }
        }
    }

    @Override
    public void write(int value) {
        write(new byte[] {(byte) value}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) {
        int at = offset;
        int end = offset + length;
        while (at < end && !ended && !broken) {
            at = entry == null ? readHeader(bytes, at, end) : readContent(entry, bytes, at, end);
        }
    }

    private int readHeader(byte[] bytes, int from, int end) {
        int at = from;
        while (at < end && bytes[at] != '\n') {
            at++;
        }
        line.write(bytes, from, at - from);
        if (at < end) {
            begin(line.toString(StandardCharsets.UTF_8));
        } else if (line.size() > LONGEST_HEADER) {
            broken = true;
        }
        return at + 1;
    }

    private void begin(String text) {
        ended = text.equals(END);
        Matcher header = HEADER.matcher(text);
        Optional<Entry> next = header.matches() ? Optional.of(Entry.of(header)) : Optional.empty();
        broken = !ended && next.filter(entry -> !entry.isTooLong()).isEmpty();
        if (broken) {
            return;
        }
        handOnComplete();
        line.reset();
        filled = 0;
        next.ifPresent(begun -> {
            entry = begun;
            content = new byte[begun.isLong() ? Math.min(begun.length(), Tail.PIECE) : begun.length()];
        });
    }

    /** An entry is right where the one behind it begins: a file that shrank takes some of the next header for its own bytes. */
    private void handOnComplete() {
        if (complete == null) {
            return;
        }
        if (complete.isLong()) {
            Entry last = waiting.length > 0 ? handOn(complete, waiting) : complete;
            handOn(last, content);
        } else {
            taker.accept(complete.number(), complete.tail(content));
        }
        complete = null;
    }

    private int readContent(Entry now, byte[] bytes, int from, int end) {
        int at = from + Math.min(end - from, content.length - filled);
        System.arraycopy(bytes, from, content, filled, at - from);
        filled += at - from;
        Entry rest = now;
        if (waiting.length > 0 && filled >= KEPT_BACK) {
            rest = handOn(now, waiting);
            waiting = NOTHING;
        }
        entry = rest;
        int left = rest.length() - waiting.length - content.length;
        if (filled == content.length && left > 0) {
            waiting = content;
            content = new byte[Math.min(left, Tail.PIECE)];
            filled = 0;
            return at;
        }
        if (at < end) {
            finish(rest, bytes[at]);
            return at + 1;
        }
        return at;
    }

    private void finish(Entry now, byte behind) {
        broken = behind != '\n';
        complete = now;
        entry = null;
    }

    /** Gives what is left of the entry. */
    private Entry handOn(Entry now, byte[] piece) {
        handedOn = true;
        taker.accept(now.number(), now.tail(piece));
        return now.after(piece.length);
    }

    /**
     * Called once all has come.
     *
     * @throws Unreadable if that is not the whole answer
     */
    void end() throws Unreadable {
        if (!ended) {
            String excerpt = entry == null ? line.toString(StandardCharsets.UTF_8) : entry.toString();
            throw new Unreadable("The new lines of the jobs' files broke off", excerpt, "They are read again.");
        }
    }
}
