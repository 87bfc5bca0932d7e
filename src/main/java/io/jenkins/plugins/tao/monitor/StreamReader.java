package io.jenkins.plugins.tao.monitor;

import io.jenkins.plugins.tao.backend.Position;
import io.jenkins.plugins.tao.backend.Tail;

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

    String take(Tail tail) {
        String before = tail.restarted() ? lines.flush() : "";
        next = tail.next();
        return before.concat(lines.feed(tail.bytes()));
    }

    String flush() {
        return lines.flush();
    }

    /** The place from which nothing that was not given out is missed. */
    Position told() {
        return new Position(next.file(), Math.max(0, next.byteOffset() - lines.heldBytes()));
    }
}
