package io.jenkins.plugins.tao.jenkins.run;

import io.jenkins.plugins.tao.job.Attempt;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.Outcome;
import io.jenkins.plugins.tao.monitor.JobResult;
import java.io.Serializable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import lombok.Getter;
import org.jenkinsci.plugins.scriptsecurity.sandbox.whitelists.Whitelisted;
import org.jspecify.annotations.Nullable;

/** How a job ended, in the hands of a Pipeline: texts, numbers, lists and maps. */
public final class TaoResult implements Serializable {
    private static final long serialVersionUID = 1L;

    @Getter(onMethod_ = @Whitelisted)
    private final String token;

    /** {@code succeeded}, {@code failed}, {@code cancelled} or {@code lost}. */
    @Getter(onMethod_ = @Whitelisted)
    private final String outcome;

    /** One line for a person: what happened and the evidence for it. */
    @Getter(onMethod_ = @Whitelisted)
    private final String message;

    /** The payload's own exit code; null when unknown. */
    @Getter(onMethod_ = @Whitelisted)
    private final @Nullable Integer exitCode;

    private final LinkedHashMap<String, Double> kpis;
    /** When the command started, as in {@code 2026-01-31T12:00:00Z}; empty when unknown. */
    @Getter(onMethod_ = @Whitelisted)
    private final String startTime;

    /** When it ended, or when its end was seen. */
    @Getter(onMethod_ = @Whitelisted)
    private final String endTime;

    /** From start to end; 0 when unknown. */
    @Getter(onMethod_ = @Whitelisted)
    private final long durationMillis;

    private final ArrayList<Map<String, Object>> attempts = new ArrayList<>();
    private final @Nullable ArrayList<String> notArchived;
    /** Null in a result that an earlier version saved. */
    private final @Nullable String cause;

    TaoResult(JobResult result, String message, List<String> notArchived) {
        this.notArchived = new ArrayList<>(notArchived);
        token = result.handle().token();
        cause = result.outcome() instanceof Outcome.Failed failed
                ? failed.cause().name()
                : "";
        outcome = result.outcome().word();
        this.message = message;
        exitCode = result.exitCode().isPresent() ? result.exitCode().getAsInt() : null;
        kpis = new LinkedHashMap<>(result.progress().kpis());
        startTime = result.startedAt().map(Object::toString).orElse("");
        endTime = result.endedAt().toString();
        durationMillis = result.startedAt()
                .map(start -> Duration.between(start, result.endedAt()).toMillis())
                .orElse(0L);
        result.attempts().forEach(attempt -> attempts.add(entry(attempt)));
    }

    private static Map<String, Object> entry(Attempt attempt) {
        Map<String, Object> entry = new LinkedHashMap<>();
        entry.put("number", attempt.number());
        entry.put("nativeId", attempt.nativeId());
        entry.put("cause", attempt.cause().name());
        entry.put("detail", attempt.detail());
        entry.put("endTime", attempt.endedAt().toString());
        return entry;
    }

    private JobHandle handle() {
        return JobHandle.parse(token);
    }

    /** Whether the job did what it should. */
    @Whitelisted
    public boolean isSuccess() {
        return outcome.equals("succeeded");
    }

    /** {@code SUCCESS}, {@code FAILURE}, {@code ABORTED} or {@code LOST}. */
    @Whitelisted
    public String getStatus() {
        return switch (outcome) {
            case "succeeded" -> "SUCCESS";
            case "cancelled" -> "ABORTED";
            case "lost" -> "LOST";
            default -> "FAILURE";
        };
    }

    /** What kind of failure, such as {@code NODE_FAILURE}; empty when the job did not fail. */
    @Whitelisted
    public String getCause() {
        return cause == null ? "" : cause;
    }

    /** Whether the job failed and the machines were to blame. */
    public boolean isInfrastructure() {
        return !getCause().isEmpty() && Outcome.Cause.valueOf(getCause()).infrastructure();
    }

    /** The newest value of each metric. */
    @Whitelisted
    public Map<String, Double> getKpis() {
        return new LinkedHashMap<>(kpis);
    }

    /** The attempts before the last one: number, nativeId, cause, detail, endTime. */
    @Whitelisted
    public List<Map<String, Object>> getAttempts() {
        return new ArrayList<>(attempts);
    }

    /** What was not archived and why, a line each; empty when all of it was. */
    @Whitelisted
    public List<String> getNotArchived() {
        return notArchived == null ? List.of() : new ArrayList<>(notArchived);
    }

    @Whitelisted
    public String getId() {
        return handle().key().value();
    }

    @Whitelisted
    public String getTarget() {
        return handle().target();
    }

    /** The backend's own id of the last attempt. */
    @Whitelisted
    public String getNativeId() {
        return handle().nativeId();
    }

    @Whitelisted
    public String getResultsDir() {
        return handle().resultsDirectory();
    }

    @Override
    @Whitelisted
    public String toString() {
        return handle().shortName() + " " + outcome + (message.isEmpty() ? "" : ": " + message);
    }
}
