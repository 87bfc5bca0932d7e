package io.jenkins.plugins.tao.monitor.poll;

import io.jenkins.plugins.tao.backend.Position;
import io.jenkins.plugins.tao.backend.Tail;
import java.util.Arrays;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Cuts what was read of a long log, so that an observer gets some thousand lines at a time and they die young. */
final class Pieces {
    private static final int SIZE = 256 * 1024;

    private Pieces() {}

    /** The same bytes in order; each piece is made when it is asked for. */
    static Stream<Tail> of(Tail tail) {
        int length = tail.bytes().length;
        return length <= SIZE
                ? Stream.of(tail)
                : IntStream.range(0, (length + SIZE - 1) / SIZE).mapToObj(number -> piece(tail, number * SIZE));
    }

    private static Tail piece(Tail tail, int from) {
        int length = tail.bytes().length;
        int to = Math.min(length, from + SIZE);
        long start = tail.next().byteOffset() - length;
        return new Tail(
                Arrays.copyOfRange(tail.bytes(), from, to),
                new Position(tail.next().file(), start + to),
                tail.restarted() && from == 0,
                tail.more() || to < length);
    }
}
