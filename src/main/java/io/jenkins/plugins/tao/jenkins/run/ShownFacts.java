package io.jenkins.plugins.tao.jenkins.run;

import io.jenkins.plugins.tao.jenkins.page.JobFacts;
import io.jenkins.plugins.tao.job.JobState;
import io.jenkins.plugins.tao.job.JobStatus;
import io.jenkins.plugins.tao.job.Progress;
import io.jenkins.plugins.tao.monitor.JobResult;
import io.jenkins.plugins.tao.record.RunOrigin;
import io.jenkins.plugins.tao.record.RunRecord;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/** What a watch sees, as the facts of a build's pages; pure. */
final class ShownFacts {
    private static final int MOST_KPIS = 12;

    private ShownFacts() {}

    /** Of one look at a job. */
    static Map<String, String> of(JobStatus status) {
        Map<String, String> facts = new LinkedHashMap<>();
        facts.put(JobFacts.PHASE, status.state().name());
        status.startedAt().ifPresent(at -> facts.put(JobFacts.STARTED, at.toString()));
        if (!status.nodes().isEmpty()) {
            facts.put(JobFacts.NODES, String.join(",", status.nodes()));
        }
        status.exitCode().ifPresent(code -> facts.put(JobFacts.EXIT_CODE, Integer.toString(code)));
        return facts;
    }

    /** Of a new attempt: what was known of the machines of the last one holds no more. */
    static Map<String, String> ofNewAttempt() {
        return Map.of(
                JobFacts.PHASE, JobState.PENDING.name(), JobFacts.STARTED, "", JobFacts.NODES, "", JobFacts.ETA, "");
    }

    /** Of what {@code status.json} says, read at {@code now}. */
    static Map<String, String> of(Progress progress, Instant now) {
        Map<String, String> facts = new LinkedHashMap<>();
        progress.fraction().ifPresent(part -> facts.put(JobFacts.FRACTION, String.format(Locale.ROOT, "%.3f", part)));
        facts.put(
                JobFacts.ETA,
                progress.eta()
                        .map(eta -> now.plusSeconds(eta.toSeconds()).toString())
                        .orElse(""));
        kpis(progress, facts);
        return facts;
    }

    private static void kpis(Progress progress, Map<String, String> facts) {
        progress.kpis().entrySet().stream()
                .limit(MOST_KPIS)
                .forEach(kpi ->
                        facts.put(JobFacts.KPI + kpi.getKey(), String.format(Locale.ROOT, "%.4g", kpi.getValue())));
    }

    /** Of a job that has ended. */
    static Map<String, String> of(JobResult ended) {
        Map<String, String> facts = new LinkedHashMap<>();
        facts.put(JobFacts.PHASE, JobState.ENDED.name());
        facts.put(JobFacts.ETA, "");
        ended.startedAt().ifPresent(at -> facts.put(JobFacts.STARTED, at.toString()));
        facts.put(JobFacts.ENDED, ended.endedAt().toString());
        ended.exitCode().ifPresent(code -> facts.put(JobFacts.EXIT_CODE, Integer.toString(code)));
        ended.progress()
                .fraction()
                .ifPresent(part -> facts.put(JobFacts.FRACTION, String.format(Locale.ROOT, "%.3f", part)));
        kpis(ended.progress(), facts);
        return facts;
    }

    /** Of the record of a job: what all its attempts took. */
    static Map<String, String> of(RunRecord record) {
        Map<String, String> facts = new LinkedHashMap<>();
        for (String name : new String[] {JobFacts.QUEUE_SECONDS, JobFacts.RUN_SECONDS}) {
            record.text("times/" + name).ifPresent(text -> facts.put(name, text));
        }
        record.text("machines/" + JobFacts.GPU_SECONDS).ifPresent(text -> facts.put(JobFacts.GPU_SECONDS, text));
        record.text("work/network")
                .ifPresent(network -> facts.put(
                        JobFacts.WORK,
                        network
                                + record.text("work/action")
                                        .map(action -> " " + action)
                                        .orElse("")));
        facts.putAll(ofSweep(record.origin().facts()));
        return facts;
    }

    /** Of a request: what tells its job apart from others like it. */
    static Map<String, String> of(JobRequest request) {
        return ofSweep(request.originFacts());
    }

    private static Map<String, String> ofSweep(Map<String, String> origin) {
        return Map.of(
                JobFacts.CELL, origin.getOrDefault(RunOrigin.CELL, ""),
                JobFacts.SWEEP, origin.getOrDefault(RunOrigin.SWEEP, ""));
    }
}
