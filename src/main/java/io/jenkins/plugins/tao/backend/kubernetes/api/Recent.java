package io.jenkins.plugins.tao.backend.kubernetes.api;

import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.backend.kubernetes.access.ServerClock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import lombok.RequiredArgsConstructor;

/** Answers to questions that many jobs ask alike: each holds for a minute of the server's clock. */
@RequiredArgsConstructor
final class Recent<T> {
    private static final Duration HOLDS = Duration.ofMinutes(1);

    private final Map<String, Kept<T>> kept = new HashMap<>();
    private final ServerClock clock;

    private record Kept<T>(T answer, Instant until) {}

    /** Asks the server. */
    interface Asking<T> {
        T ask() throws BackendException;
    }

    /** The answer at hand, or else a new one; whoever asks the same meanwhile waits for it. */
    synchronized T of(String question, Asking<T> asking) throws BackendException {
        Optional<Kept<T>> last = Optional.ofNullable(kept.get(question));
        Optional<Instant> now = clock.estimate();
        if (last.isPresent() && now.filter(last.get().until()::isAfter).isPresent()) {
            return last.get().answer();
        }
        T answer = asking.ask();
        clock.estimate().ifPresent(at -> kept.put(question, new Kept<>(answer, at.plus(HOLDS))));
        return answer;
    }
}
