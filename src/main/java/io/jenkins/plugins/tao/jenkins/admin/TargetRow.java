package io.jenkins.plugins.tao.jenkins.admin;

import io.jenkins.plugins.tao.job.Durations;
import io.jenkins.plugins.tao.monitor.TargetHealth;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import lombok.AccessLevel;
import lombok.Getter;
import lombok.RequiredArgsConstructor;

/** One target as a row of the administrators' page. Never changed. */
@RequiredArgsConstructor(access = AccessLevel.PRIVATE)
public final class TargetRow {
    @Getter
    private final String name;

    /** Whether it is among the configured ones. */
    @Getter
    private final boolean configured;

    private final Optional<TargetHealth> health;
    private final Instant now;
    /** How many connections to it are open just now. */
    @Getter
    private final long connections;

    /** Jobs of it that wait to be watched until it is configured again. */
    private final long blocked;

    private TargetRow(String name, boolean configured, Optional<TargetHealth> health, Instant now) {
        this(name, configured, health, now, 0, 0);
    }

    /** A row for each configured target, and for each other one whose jobs are watched still; one without jobs asks for nothing. */
    static List<TargetRow> of(Set<String> configured, List<TargetHealth> healths, Instant now) {
        List<TargetRow> rows = new ArrayList<>();
        Set<String> idle = new TreeSet<>(configured);
        for (TargetHealth health : healths) {
            boolean known = configured.contains(health.target());
            idle.remove(health.target());
            if (known || !health.jobs().isEmpty()) {
                rows.add(new TargetRow(health.target(), known, Optional.of(health), now));
            }
        }
        idle.forEach(name -> rows.add(new TargetRow(name, true, Optional.empty(), now)));
        return rows;
    }

    /** The same, with a row for each target that jobs wait for too, and the connections that are open. */
    static List<TargetRow> of(
            Set<String> configured, List<TargetHealth> healths, Instant now, List<String> open, List<String> blocked) {
        List<TargetRow> rows = of(configured, healths, now);
        Set<String> missing = new TreeSet<>(blocked);
        rows.forEach(row -> missing.remove(row.name));
        missing.forEach(name -> rows.add(new TargetRow(name, configured.contains(name), Optional.empty(), now)));
        return rows.stream()
                .map(row -> new TargetRow(
                        row.name,
                        row.configured,
                        row.health,
                        now,
                        open.stream().filter(row.name::equals).count(),
                        blocked.stream().filter(row.name::equals).count()))
                .toList();
    }

    /** {@code failed}, {@code lost}, {@code succeeded} or {@code waiting}: the colours of states of jobs. */
    public String getKind() {
        if (health.isEmpty()) {
            return blocked > 0 ? "lost" : "waiting";
        }
        return health.get().failures() > 0 ? "failed" : configured ? "succeeded" : "lost";
    }

    /** How it does, in words. */
    public String getState() {
        if (health.isEmpty()) {
            return blocked > 0 ? "cannot be asked" : "idle";
        }
        return health.get().failures() > 0
                ? "no answer, " + health.get().failures() + " in a row"
                : health.get().lastAnswer().isPresent() ? "answers" : "asked for the first time";
    }

    /** What an administrator should know of it; empty when nothing. */
    public String getRemark() {
        String error = health.map(TargetHealth::error).orElse("");
        String removed = configured
                ? ""
                : "No target of this name is configured any more: its running jobs continue and are watched with the settings they began with."
                        + " Configure it again under this name before Jenkins is restarted.";
        return String.join(" ", error, blocked > 0 ? waits() : removed).strip();
    }

    private String waits() {
        String missing = configured
                ? "It cannot be used as it is configured now."
                : "No target of this name is configured any more.";
        return missing + " Jobs of it run on and " + blocked
                + " waits are held until it is configured again under this name; the logs of their builds say why.";
    }

    /** When it answered last, as in {@code 2026-01-31T12:00:00Z}; empty when it has not. */
    public String getLastAnswerAt() {
        return health.flatMap(TargetHealth::lastAnswer).map(Instant::toString).orElse("");
    }

    /** How long its last answered round took, in milliseconds. */
    OptionalLong getMillis() {
        return health.filter(known -> known.lastAnswer().isPresent())
                .map(known -> OptionalLong.of(known.took().toMillis()))
                .orElse(OptionalLong.empty());
    }

    /** {@code 12s ago}; empty when it has not answered yet. */
    public String getLastAnswer() {
        return health.flatMap(TargetHealth::lastAnswer)
                .map(at -> Durations.words(Duration.between(at, now)) + " ago")
                .orElse("");
    }

    /** How long its last answered round took, in milliseconds. */
    public String getLatency() {
        return health.filter(known -> known.lastAnswer().isPresent())
                .map(known -> known.took().toMillis() + " ms")
                .orElse("");
    }

    public int getJobs() {
        return health.map(known -> known.jobs().size()).orElse(0);
    }

    /** How many of its jobs wait for machines. */
    public long getWaiting() {
        return health.map(TargetHealth::waiting).orElse(0L);
    }
}
