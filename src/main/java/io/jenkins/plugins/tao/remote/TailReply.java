package io.jenkins.plugins.tao.remote;

import io.jenkins.plugins.tao.backend.BackendException.Unreadable;
import io.jenkins.plugins.tao.backend.Position;
import io.jenkins.plugins.tao.backend.Tail;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads what {@link TailScript} answered: for each stream with news a line of numbers, then that many raw bytes. */
public final class TailReply {
    private static final Pattern HEADER =
            Pattern.compile("tail (\\d{1,9}) ([01]) (\\d{1,18}) (\\d{1,9}) (\\d{1,18}) (.+)");

    private final byte[] bytes;
    private int at;

    private TailReply(byte[] bytes) {
        this.bytes = bytes;
    }

    /**
     * The streams with news, by their number in the request.
     *
     * @param bytes the script's standard output
     * @throws Unreadable if it broke off, or a file shrank while it was read: ask again
     */
    public static Map<Integer, Tail> parse(byte[] bytes) throws Unreadable {
        return new TailReply(bytes).parse();
    }

    private Map<Integer, Tail> parse() throws Unreadable {
        Map<Integer, Tail> tails = new LinkedHashMap<>();
        for (String line = line(); !line.equals("tail-end"); line = line()) {
            Matcher header = HEADER.matcher(line);
            if (!header.matches()) {
                throw unreadable(line);
            }
            tails.put(Integer.valueOf(header.group(1)), tail(header));
        }
        return tails;
    }

    private Tail tail(Matcher header) throws Unreadable {
        long from = Long.parseLong(header.group(3));
        int length = Integer.parseInt(header.group(4));
        long size = Long.parseLong(header.group(5));
        if (length > bytes.length - at || at + length >= bytes.length || bytes[at + length] != '\n') {
            throw unreadable(header.group());
        }
        byte[] content = Arrays.copyOfRange(bytes, at, at + length);
        at += length + 1;
        Position next = new Position(header.group(6), from + length);
        return new Tail(content, next, header.group(2).equals("1"), from + length < size);
    }

    private String line() throws Unreadable {
        int end = at;
        while (end < bytes.length && bytes[end] != '\n') {
            end++;
        }
        String line = new String(bytes, at, end - at, StandardCharsets.UTF_8);
        if (end == bytes.length) {
            throw unreadable(line);
        }
        at = end + 1;
        return line;
    }

    private static Unreadable unreadable(String excerpt) {
        return new Unreadable("The new lines of the jobs' files broke off", excerpt, "They are read again.");
    }
}
