package io.jenkins.plugins.tao.jenkins.admin;

import io.jenkins.plugins.tao.job.Durations;
import io.jenkins.plugins.tao.monitor.TargetHealth;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** One target as a row of the administrators' page. Never changed. */
public final class TargetRow {
    private final String name;
    private final boolean configured;
    private final Optional<TargetHealth> health;
    private final Instant now;

    private TargetRow(String name, boolean configured, Optional<TargetHealth> health, Instant now) {
        this.name = name;
        this.configured = configured;
        this.health = health;
        this.now = now;
    }

    /** A row for each configured target, and for each other one whose jobs are watched still. */
    static List<TargetRow> of(Set<String> configured, List<TargetHealth> healths, Instant now) {
        List<TargetRow> rows = new ArrayList<>();
        Set<String> idle = new TreeSet<>(configured);
        for (TargetHealth health : healths) {
            idle.remove(health.target());
            rows.add(new TargetRow(health.target(), configured.contains(health.target()), Optional.of(health), now));
        }
        idle.forEach(name -> rows.add(new TargetRow(name, true, Optional.empty(), now)));
        return rows;
    }

    public String getName() {
        return name;
    }

    /** {@code failed}, {@code lost}, {@code succeeded} or {@code waiting}: the colours of states of jobs. */
    public String getKind() {
        if (health.isEmpty()) {
            return "waiting";
        }
        return health.get().failures() > 0 ? "failed" : configured ? "succeeded" : "lost";
    }

    /** How it does, in words. */
    public String getState() {
        if (health.isEmpty()) {
            return "idle";
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
                : "No target of this name is configured any more: its running jobs go on and stay watched with the settings they began with."
                        + " Configure it again under this name before Jenkins is restarted.";
        return (error + " " + removed).strip();
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
