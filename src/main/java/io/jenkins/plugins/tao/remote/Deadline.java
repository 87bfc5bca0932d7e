package io.jenkins.plugins.tao.remote;

import java.time.Duration;

/** When a call must have ended, by the monotonic clock. */
record Deadline(long atNanos) {
    static Deadline in(Duration limit) {
        return new Deadline(System.nanoTime() + limit.toNanos());
    }

    /** What is left, at least zero. */
    Duration left() {
        return Duration.ofNanos(Math.max(0, atNanos - System.nanoTime()));
    }

    /** What is left, at least one millisecond: zero means for ever to some libraries. */
    long leftMillis() {
        return Math.max(1, left().toMillis());
    }

    boolean passed() {
        return atNanos - System.nanoTime() <= 0;
    }

    /** The earlier of this and {@code limit} from now. */
    Deadline within(Duration limit) {
        Deadline other = in(limit);
        return other.atNanos - atNanos < 0 ? other : this;
    }
}
