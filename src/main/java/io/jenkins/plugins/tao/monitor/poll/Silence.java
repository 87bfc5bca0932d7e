package io.jenkins.plugins.tao.monitor.poll;

import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.monitor.JobEvent;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** When to tell a person that a target does not answer: after half a minute and then every ten; a refusal at once. */
final class Silence {
    static final Duration FIRST = Duration.ofSeconds(30);
    static final Duration AGAIN = Duration.ofMinutes(10);

    private Instant lastWord;
    private Optional<Instant> told = Optional.empty();

    Silence(Instant now) {
        lastWord = now;
    }

    Instant lastWord() {
        return lastWord;
    }

    /** A round without an answer. */
    Optional<JobEvent> missed(BackendException why, Instant now) {
        boolean due = told.map(before -> Duration.between(before, now).compareTo(AGAIN) >= 0)
                .orElse(why instanceof BackendException.Denied
                        || why instanceof BackendException.Unreadable
                        || Duration.between(lastWord, now).compareTo(FIRST) >= 0);
        if (!due) {
            return Optional.empty();
        }
        told = Optional.of(now);
        return Optional.of(new JobEvent.Unreachable(lastWord, String.valueOf(why.getMessage()), why.remedy()));
    }

    /** A round with an answer. */
    Optional<JobEvent> heard(Instant now) {
        Optional<JobEvent> event = told.map(before -> new JobEvent.Reachable(Duration.between(lastWord, now)));
        told = Optional.empty();
        lastWord = now;
        return event;
    }
}
