package io.jenkins.plugins.tao.journal;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.jenkins.plugins.tao.backend.Diagnosis;
import io.jenkins.plugins.tao.backend.Report;
import io.jenkins.plugins.tao.job.GpuUse;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.JobStatus;
import io.jenkins.plugins.tao.job.Outcome;
import io.jenkins.plugins.tao.job.Progress;
import io.jenkins.plugins.tao.monitor.JobEvent;
import io.jenkins.plugins.tao.monitor.JobResult;
import io.jenkins.plugins.tao.record.MetricSummary;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.TreeMap;

/** What a script reads of a job: one object an event, {@code event} first; pure. Keys are only ever added. */
public final class EventJson {
    private EventJson() {}

    /** An object for an event of this name. */
    public static ObjectNode event(String name) {
        return JsonNodeFactory.instance.objectNode().put("event", name);
    }

    /** What a watch has told. */
    public static ObjectNode of(JobEvent event) {
        if (event instanceof JobEvent.Lines lines) {
            ObjectNode node = event("log").put("stream", lines.stream().name().toLowerCase(Locale.ROOT));
            lines.lines().forEach(node.putArray("lines")::add);
            return node;
        }
        if (event instanceof JobEvent.StatusChanged changed) {
            ObjectNode node = event("state").put("before", changed.before());
            return status(node, changed.now())
                    .put("secondsBefore", Math.max(0, changed.inState().toSeconds())); // clocks differ
        }
        if (event instanceof JobEvent.Advanced advanced) {
            return progress(event("progress"), advanced.progress());
        }
        if (event instanceof JobEvent.Unreachable silent) {
            return event("unreachable")
                    .put("since", silent.since().toString())
                    .put("what", silent.what())
                    .put("remedy", silent.remedy());
        }
        if (event instanceof JobEvent.Reachable back) {
            return event("reachable").put("seconds", back.silence().toSeconds());
        }
        if (event instanceof JobEvent.AttemptStarted next) {
            return attempt(event("attempt"), next);
        }
        if (event instanceof JobEvent.CancelRefused refused) {
            return event("refused").put("what", refused.what()).put("remedy", refused.remedy());
        }
        if (event instanceof JobEvent.Still still) {
            return event("still").put("text", still.where());
        }
        if (event instanceof JobEvent.Notice notice) {
            return event("notice").put("text", notice.text());
        }
        return event instanceof JobEvent.Ended end ? ended(end.result()) : ofGpus(event);
    }

    private static ObjectNode ofGpus(JobEvent event) {
        if (event instanceof JobEvent.GpusUsed used) {
            return gpus(event("gpus"), used.samples());
        }
        ObjectNode node = event("machine");
        new TreeMap<>(((JobEvent.Machine) event).facts()).forEach(node.putObject("machine")::put);
        return node;
    }

    private static ObjectNode gpus(ObjectNode node, List<GpuUse> samples) {
        for (GpuUse sample : samples) {
            ObjectNode told =
                    node.withArray("/samples").addObject().put("at", sample.at().toString());
            for (GpuUse.Gpu gpu : sample.gpus()) {
                ObjectNode one = told.withArray("/gpus").addObject().put("gpu", gpu.number());
                number(one, "percent", gpu.percent());
                number(one, "memoryMiB", gpu.memoryMiB());
            }
        }
        return node;
    }

    private static ObjectNode attempt(ObjectNode node, JobEvent.AttemptStarted next) {
        node.put("number", next.next().attempt())
                .put("token", next.next().token())
                .put("cause", next.ended().cause().name())
                .put("detail", next.ended().detail());
        next.avoided().forEach(name -> node.withArray("/avoided").add(name));
        return node;
    }

    /** Adds one look at a job to {@code node}. */
    public static ObjectNode status(ObjectNode node, JobStatus status) {
        node.put("state", status.state().name()).put("nativeState", status.nativeState());
        status.ending().ifPresent(ending -> node.put("ending", ending.name()));
        status.exitCode().ifPresent(code -> node.put("exitCode", code));
        status.reason().ifPresent(reason -> node.put("reason", reason));
        status.nodes().forEach(node.putArray("nodes")::add);
        status.startedAt().ifPresent(at -> node.put("startedAt", at.toString()));
        status.endedAt().ifPresent(at -> node.put("endedAt", at.toString()));
        if (status.untimed() > 0) {
            node.put("untimed", status.untimed());
        }
        status.ran()
                .ifPresent(
                        time -> node.put(status.untimed() > 0 ? "ranAtLeastSeconds" : "ranSeconds", time.toSeconds()));
        return node;
    }

    private static ObjectNode progress(ObjectNode node, Progress progress) {
        node.put("status", progress.status()).put("message", progress.message());
        number(node, "epoch", progress.epoch());
        number(node, "maxEpoch", progress.maxEpoch());
        number(node, "step", progress.step());
        number(node, "maxStep", progress.maxStep());
        number(node, "fraction", progress.fraction());
        progress.eta().ifPresent(eta -> node.put("etaSeconds", eta.toSeconds()));
        ObjectNode kpis = node.putObject("kpis");
        progress.kpis().forEach((name, value) -> MetricSummary.put(kpis, name, value));
        return node;
    }

    private static void number(ObjectNode node, String key, OptionalDouble value) {
        value.ifPresent(number -> MetricSummary.put(node, key, number));
    }

    private static ObjectNode ended(JobResult result) {
        ObjectNode node = event("ended").put("outcome", result.outcome().word());
        if (result.outcome() instanceof Outcome.Failed failed) {
            node.put("cause", failed.cause().name());
            told(node, "remedy", failed.remedy());
            told(node, "evidence", failed.evidence());
        }
        node.put("detail", detail(result.outcome()));
        result.exitCode().ifPresent(code -> node.put("exitCode", code));
        result.startedAt().ifPresent(at -> node.put("startedAt", at.toString()));
        node.put("endedAt", result.endedAt().toString());
        node.put("attempts", result.attempts().size() + 1);
        node.put("token", result.handle().token());
        progress(node.putObject("progress"), result.progress());
        return node;
    }

    private static void told(ObjectNode node, String key, String text) {
        if (!text.isEmpty()) {
            node.put(key, text);
        }
    }

    private static String detail(Outcome outcome) {
        return outcome.match(
                succeeded -> "",
                failed -> failed.detail(),
                cancelled -> "by " + cancelled.by(),
                lost -> "no response since " + lost.lastSeen());
    }

    /** A job that its target has taken. */
    public static ObjectNode submitted(JobHandle handle) {
        return identity(event("submitted"), handle);
    }

    /** Adds what finds a job again. */
    static ObjectNode identity(ObjectNode node, JobHandle handle) {
        return node.put("id", handle.key().value())
                .put("token", handle.token())
                .put("target", handle.target())
                .put("backend", handle.backend())
                .put("nativeId", handle.nativeId())
                .put("resultsDir", handle.resultsDirectory());
    }

    /** What preflight found. */
    public static ObjectNode report(Report report) {
        ObjectNode node = event("preflight").put("failed", report.failed());
        for (Report.Check check : report.checks()) {
            node.withArray("/checks")
                    .addObject()
                    .put("name", check.name())
                    .put("verdict", check.verdict().name())
                    .put("detail", check.detail())
                    .put("remedy", check.remedy());
        }
        return node;
    }

    /** What a person would look at after a failure. */
    public static ObjectNode diagnosis(Diagnosis diagnosis) {
        ObjectNode node = event("diagnosis").put("summary", diagnosis.summary()).put("remedy", diagnosis.remedy());
        diagnosis.facts().forEach(node.putArray("facts")::add);
        return node;
    }
}
