package io.jenkins.plugins.tao.monitor;

import io.jenkins.plugins.tao.backend.Stream;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * The streams of a job whose last read failed. A job that has ended waits for them until a read succeeds, with news or without, or
 * until patience ends.
 */
final class Gaps {
    /** So many failed reads after the end of the job, and so long after it, a stream is waited for. */
    private static final int TRIES = 3;

    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private final Map<Stream, Gap> open = new EnumMap<>(Stream.class);

    private record Gap(int times, String why) {}

    /** Takes note that a stream could not be read. */
    void missed(Stream stream, String why) {
        open.merge(stream, new Gap(1, why), (before, now) -> new Gap(before.times() + 1, now.why()));
    }

    /** Takes note that it could. */
    void closed(Stream stream) {
        open.remove(stream);
    }

    /** Takes note that the job has ended: what failed before says nothing of its last lines. */
    void ended() {
        open.replaceAll((stream, gap) -> new Gap(0, gap.why()));
    }

    /** Forgets all of them: another attempt has other streams. */
    void clear() {
        open.clear();
    }

    boolean isOpen(Stream stream) {
        return open.containsKey(stream);
    }

    /** Whether some stream of a job that ended {@code sinceEnd} ago is worth another look before the job is done with. */
    boolean awaited(Duration sinceEnd) {
        return open.values().stream().anyMatch(gap -> gap.times() < TRIES || sinceEnd.compareTo(PATIENCE) < 0);
    }

    /** What a person should know when the job is done with. */
    List<String> words() {
        return open.values().stream()
                .map(gap -> "The end of its log may be missing here, for it could not be read: " + gap.why())
                .distinct()
                .toList();
    }
}
