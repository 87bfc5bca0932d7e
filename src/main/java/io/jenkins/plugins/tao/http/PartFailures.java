package io.jenkins.plugins.tao.http;

import io.jenkins.plugins.tao.backend.BackendException;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What a service does not answer about single jobs though it answers about others: each failure is reported once while it
 * lasts, and hides no state. Thread-safe.
 */
public final class PartFailures {
    /** So many failures in a row are passed over: one answer may be lost. */
    private static final int UNREPORTED = 1;

    /** Failures in a row, with the words of the first: a request's number in a message makes no new message. */
    private record Failures(int times, String first) {}

    private final Map<String, Map<String, Failures>> byJob = new ConcurrentHashMap<>();

    /**
     * Takes note of a failure.
     *
     * @param part the subject of a sentence, such as {@code Its log}
     */
    public void failed(String job, String part, BackendException why) {
        byJob.compute(job, (any, old) -> {
            Map<String, Failures> parts = old == null ? new TreeMap<>() : new TreeMap<>(old);
            Failures before = parts.get(part);
            parts.put(
                    part,
                    before == null
                            ? new Failures(1, part + " cannot be read: " + why.explain())
                            : new Failures(before.times() + 1, before.first()));
            return parts;
        });
    }

    /** Takes note that a part could be read. */
    public void worked(String job, String part) {
        byJob.computeIfPresent(job, (any, old) -> {
            Map<String, Failures> parts = new TreeMap<>(old);
            parts.remove(part);
            return parts.isEmpty() ? null : parts;
        });
    }

    /** How often in a row a part could not be read. */
    public int times(String job, String part) {
        Failures failures = byJob.getOrDefault(job, Map.of()).get(part);
        return failures == null ? 0 : failures.times();
    }

    /** What a person should know of a job, sentences. */
    public List<String> of(String job) {
        return byJob.getOrDefault(job, Map.of()).values().stream()
                .filter(failures -> failures.times() > UNREPORTED)
                .map(Failures::first)
                .toList();
    }

    /** Forgets all other jobs. */
    public void retain(Collection<String> jobs) {
        byJob.keySet().retainAll(jobs);
    }
}
