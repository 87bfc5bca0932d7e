package io.jenkins.plugins.tao.monitor;

import io.jenkins.plugins.tao.backend.Stream;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** The streams of a job whose last read failed. A job that has ended is not done with them at once: they are read again. */
final class Gaps {
    /** So many failures in a row end the wait. */
    private static final int TRIES = 3;

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

    /** Whether some stream is worth another look before the job is done with. */
    boolean awaited() {
        return open.values().stream().anyMatch(gap -> gap.times() < TRIES);
    }

    /** What a person should know when the job is done with. */
    List<String> words() {
        return open.values().stream()
                .map(gap -> "The end of its log may be missing here, for it could not be read: " + gap.why())
                .distinct()
                .toList();
    }
}
