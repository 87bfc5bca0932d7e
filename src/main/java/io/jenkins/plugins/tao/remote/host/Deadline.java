package io.jenkins.plugins.tao.remote.host;

import java.time.Duration;

/** When a call must have ended, by the monotonic clock. */
public record Deadline(long atNanos) {
    public static Deadline in(Duration limit) {
        return new Deadline(System.nanoTime() + limit.toNanos());
    }

    /** What is left, at least zero. */
    public Duration left() {
        return Duration.ofNanos(Math.max(0, atNanos - System.nanoTime()));
    }

    /** What is left, at least one millisecond: zero means for ever to some libraries. */
    public long leftMillis() {
        return Math.max(1, left().toMillis());
    }

    public boolean passed() {
        return atNanos - System.nanoTime() <= 0;
    }

    /** The earlier of this and {@code limit} from now. */
    public Deadline within(Duration limit) {
        Deadline other = in(limit);
        return other.atNanos - atNanos < 0 ? other : this;
    }
}
