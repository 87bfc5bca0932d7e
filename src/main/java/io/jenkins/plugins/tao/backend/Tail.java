package io.jenkins.plugins.tao.backend;

import java.util.Arrays;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * New bytes of a stream. They may begin and end within a line or a character.
 *
 * @param bytes what was read; never changed by anyone after
 * @param next where to read on
 * @param restarted whether the file was replaced or cut, so that {@code bytes} begin at its start again
 * @param more whether the stream already holds more than was read now
 * @param gap why nothing could be read, though there may be something; then there are no bytes, and {@code next} is where to try again
 */
@SuppressWarnings("ArrayRecordComponent") // bytes go from the wire to one reader, a copy each way would double the cost
public record Tail(byte[] bytes, Position next, boolean restarted, boolean more, Optional<String> gap) {
    /** Bytes that an observer gets at once: some hundred lines, which the young generation holds. */
    public static final int PIECE = 64 * 1024;

    /** What was read. */
    public Tail(byte[] bytes, Position next, boolean restarted, boolean more) {
        this(bytes, next, restarted, more, Optional.empty());
    }

    /** Nothing was read behind {@code at}, for a reason that says nothing of what is there. */
    public static Tail missed(Position at, String why) {
        return new Tail(new byte[0], at, false, false, Optional.of(why));
    }

    /** The same bytes in order, at most {@value #PIECE} in each; a piece is made when it is asked for. */
    public Stream<Tail> pieces() {
        return bytes.length <= PIECE
                ? Stream.of(this)
                : IntStream.range(0, (bytes.length + PIECE - 1) / PIECE).mapToObj(number -> piece(number * PIECE));
    }

    private Tail piece(int from) {
        int to = Math.min(bytes.length, from + PIECE);
        return new Tail(
                Arrays.copyOfRange(bytes, from, to),
                new Position(next.file(), next.byteOffset() - bytes.length + to),
                restarted && from == 0,
                more || to < bytes.length);
    }
}
