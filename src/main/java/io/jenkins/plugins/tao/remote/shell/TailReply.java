package io.jenkins.plugins.tao.remote.shell;

import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.backend.BackendException.Unreadable;
import io.jenkins.plugins.tao.backend.Position;
import io.jenkins.plugins.tao.backend.Tail;
import io.jenkins.plugins.tao.remote.host.Host;
import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads what {@link TailScript} answers while it comes: for each stream with news a line of numbers, then that many raw
 * bytes. The bytes go straight to where they stay, for a log may have more of them than the rest of us needs memory.
 */
public final class TailReply extends OutputStream {
    private static final Pattern HEADER =
            Pattern.compile("tail (\\d{1,9}) ([01]) (\\d{1,18}) (\\d{1,9}) (\\d{1,18}) (.+)");
    private static final String END = "tail-end";
    private static final int LONGEST_HEADER = 16 * 1024;

    private final Map<Integer, Tail> tails = new LinkedHashMap<>();
    private final ByteArrayOutputStream line = new ByteArrayOutputStream();
    private @Nullable Matcher header;
    private byte[] content = new byte[0];
    private int filled;
    private boolean ended;
    private boolean broken;

    TailReply() {}

    /**
     * Reads on in all these streams.
     *
     * @return the streams with news, by their number in {@code requests}
     * @throws Unreadable if the answer broke off, or a file shrank while it was read: ask again
     */
    public static Map<Integer, Tail> ask(Host host, List<TailScript.Request> requests, Duration limit)
            throws BackendException {
        TailReply reply = new TailReply();
        host.stream(TailScript.render(requests), reply, limit);
        return reply.tails();
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
            at = header == null ? readHeader(bytes, at, end) : readContent(header, bytes, at, end);
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
        Matcher numbers = HEADER.matcher(text);
        if (numbers.matches() && Integer.parseInt(numbers.group(4)) <= TailScript.ALL_BYTES) {
            header = numbers;
            content = new byte[Integer.parseInt(numbers.group(4))];
            filled = 0;
            line.reset();
        } else {
            broken = !ended;
        }
    }

    private int readContent(Matcher numbers, byte[] bytes, int from, int end) {
        int count = Math.min(end - from, content.length - filled);
        System.arraycopy(bytes, from, content, filled, count);
        filled += count;
        if (from + count == end) {
            return end;
        }
        if (bytes[from + count] == '\n') {
            tails.put(Integer.valueOf(numbers.group(1)), tail(numbers));
            header = null;
        } else {
            broken = true;
        }
        return from + count + 1;
    }

    private Tail tail(Matcher numbers) {
        long from = Long.parseLong(numbers.group(3));
        long size = Long.parseLong(numbers.group(5));
        Position next = new Position(numbers.group(6), from + content.length);
        return new Tail(content, next, numbers.group(2).equals("1"), from + content.length < size);
    }

    /** The streams with news, once all has come. */
    Map<Integer, Tail> tails() throws Unreadable {
        if (!ended) {
            String excerpt = header == null ? line.toString(StandardCharsets.UTF_8) : header.group();
            throw new Unreadable("The new lines of the jobs' files broke off", excerpt, "They are read again.");
        }
        return tails;
    }
}
