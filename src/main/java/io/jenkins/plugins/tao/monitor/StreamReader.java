package io.jenkins.plugins.tao.monitor;

import io.jenkins.plugins.tao.backend.Position;
import io.jenkins.plugins.tao.backend.Tail;
import java.util.List;

/** How far one log has been read, and the piece of a line that waits for its end. */
final class StreamReader {
    private Position next;
    private final LogLines lines = new LogLines();

    StreamReader(Position next) {
        this.next = next;
    }

    Position next() {
        return next;
    }

    List<String> take(Tail tail) {
        List<String> before = tail.restarted() ? lines.flush() : List.of();
        next = tail.next();
        List<String> now = lines.feed(tail.bytes());
        return before.isEmpty()
                ? now
                : java.util.stream.Stream.concat(before.stream(), now.stream()).toList();
    }

    List<String> flush() {
        return lines.flush();
    }

    /** The place from which nothing that was not given out is missed. */
    Position told() {
        return new Position(next.file(), Math.max(0, next.byteOffset() - lines.heldBytes()));
    }
}
