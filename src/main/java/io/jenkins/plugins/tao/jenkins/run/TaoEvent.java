package io.jenkins.plugins.tao.jenkins.run;

import hudson.model.Run;
import hudson.model.TaskListener;
import io.jenkins.plugins.tao.job.JobHandle;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import lombok.AccessLevel;
import lombok.Getter;
import lombok.RequiredArgsConstructor;
import lombok.experimental.Accessors;

/** One thing that happened to a job of a build, or that a gate decided about a build. Never changed, never saved. */
@Accessors(fluent = true)
@RequiredArgsConstructor(access = AccessLevel.PRIVATE)
public final class TaoEvent {
    /** What happened. */
    public enum Kind {
        /** The target has taken the job. */
        SUBMITTED,
        /** The job runs on its machines. */
        RUNNING,
        /** An attempt ended by fault of the machines, and the next one was submitted. */
        NEW_ATTEMPT,
        /** The job has ended and its files are archived; {@link #result} says how. */
        ENDED,
        /** A gate has judged the build; {@link #gate} says how. */
        GATE
    }

    /** What happened. */
    @Getter
    private final Kind kind;

    private final BuildScope scope;

    /** The job it happened to; empty for a gate. */
    @Getter
    private final Optional<TaoJob> job;

    /** How the job ended; there for {@link Kind#ENDED} alone. */
    @Getter
    private final Optional<TaoResult> result;

    /** What a gate decided: {@code kpi}, {@code answer}, {@code effect} and {@code evidence}; empty for a job. */
    @Getter
    private final Map<String, String> gate;

    static TaoEvent of(Kind kind, BuildScope scope, JobHandle job) {
        return new TaoEvent(kind, scope, Optional.of(new TaoJob(job.token())), Optional.empty(), Map.of());
    }

    static TaoEvent ended(BuildScope scope, TaoResult result) {
        TaoJob job = new TaoJob(result.getToken());
        return new TaoEvent(Kind.ENDED, scope, Optional.of(job), Optional.of(result), Map.of());
    }

    static TaoEvent gate(BuildScope scope, Map<String, String> answer) {
        return new TaoEvent(Kind.GATE, scope, Optional.empty(), Optional.empty(), Map.copyOf(answer));
    }

    /** The build. */
    public Run<?, ?> run() {
        return scope.run();
    }

    /** The log of the build. */
    public TaskListener log() {
        return scope.listener();
    }

    /** The same as texts by the names of environment variables; those that are not known are absent. */
    public Map<String, String> variables() {
        Map<String, String> texts = new LinkedHashMap<>();
        texts.put("TAO_EVENT", kind.name());
        job.ifPresent(of -> {
            texts.put("TAO_JOB_ID", of.getId());
            texts.put("TAO_TARGET", of.getTarget());
            texts.put("TAO_NATIVE_ID", of.getNativeId());
            texts.put("TAO_RESULTS_DIR", of.getResultsDir());
            texts.put("TAO_TOKEN", of.getToken());
        });
        result.ifPresent(of -> {
            texts.put("TAO_STATUS", of.getStatus());
            texts.put("TAO_OUTCOME", of.getOutcome());
            texts.put("TAO_CAUSE", of.getCause());
            texts.put("TAO_MESSAGE", of.getMessage());
            of.getKpis().forEach((name, value) -> texts.put("TAO_KPI_" + variable(name), String.valueOf(value)));
        });
        gate.forEach((name, value) -> texts.put("TAO_GATE_" + variable(name).toUpperCase(Locale.ROOT), value));
        return texts;
    }

    /** A metric's name may hold what no shell takes in the name of a variable. */
    private static String variable(String name) {
        return name.replaceAll("[^A-Za-z0-9_]", "_");
    }

    @Override
    public String toString() {
        return kind + " " + job.map(TaoJob::getId).orElse(String.valueOf(gate.get("kpi")));
    }
}
