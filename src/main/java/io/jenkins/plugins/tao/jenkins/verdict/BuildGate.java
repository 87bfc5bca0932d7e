package io.jenkins.plugins.tao.jenkins.verdict;

import hudson.model.Run;
import io.jenkins.plugins.tao.gate.Changes;
import io.jenkins.plugins.tao.gate.Criterion;
import io.jenkins.plugins.tao.gate.Effect;
import io.jenkins.plugins.tao.gate.Evidence;
import io.jenkins.plugins.tao.gate.Finding;
import io.jenkins.plugins.tao.gate.Gate;
import io.jenkins.plugins.tao.gate.GateReport;
import io.jenkins.plugins.tao.gate.GateTable;
import io.jenkins.plugins.tao.gate.GateText;
import io.jenkins.plugins.tao.gate.OtherJobs;
import io.jenkins.plugins.tao.gate.PastVerdict;
import io.jenkins.plugins.tao.history.Baselines;
import io.jenkins.plugins.tao.history.RunHistory;
import io.jenkins.plugins.tao.jenkins.page.GateAnswer;
import io.jenkins.plugins.tao.jenkins.page.TaoRunAction;
import io.jenkins.plugins.tao.jenkins.run.BuildScope;
import io.jenkins.plugins.tao.jenkins.run.JobHistory;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.record.RunOrigin;
import io.jenkins.plugins.tao.record.RunRecord;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Judges the runs of a build by the records of its job; the same for a Pipeline and a freestyle job. */
public final class BuildGate {
    private final Run<?, ?> run;
    private final List<RunRecord> all;
    private final int unreadable;
    private final Baselines.Known baselines;

    private BuildGate(Run<?, ?> run, Optional<Baselines.Known> own) throws IOException {
        this.run = run;
        RunHistory.Known known = JobHistory.of(run.getParent()).read();
        all = known.records();
        unreadable = known.unreadable();
        baselines = own.isPresent()
                ? own.get()
                : JobHistory.baselines(run.getParent()).read();
    }

    /**
     * The answer to a step.
     *
     * @param effect what it does to the build
     * @param answer the word, such as {@code no verdict}
     * @param sentence the evidence
     */
    public record Answer(Effect effect, String answer, String sentence) {
        /** For a Pipeline: texts alone. */
        public Map<String, String> toMap() {
            Map<String, String> map = new LinkedHashMap<>();
            map.put("answer", answer);
            map.put("effect", effect.name());
            map.put("evidence", sentence);
            return map;
        }
    }

    /**
     * Judges, and tells the build log.
     *
     * @param keys the gate, as docs/gates.md has it
     * @param jobs tokens or ids of the jobs to judge, one a line; empty for all of this build
     * @param own baselines of a file of the repository; empty for those of the job
     * @throws IllegalArgumentException if the gate is written wrong
     */
    public static Answer judge(BuildScope scope, Map<String, String> keys, String jobs, Optional<Baselines.Known> own)
            throws IOException {
        Answer answer = answer(scope, keys, jobs, own);
        TaoRunAction.of(scope.run())
                .judged(new GateAnswer(
                        GateText.parse(keys).title(),
                        answer.answer(),
                        scope.mask().apply(answer.sentence())));
        return answer;
    }

    private static Answer answer(BuildScope scope, Map<String, String> keys, String jobs, Optional<Baselines.Known> own)
            throws IOException {
        BuildGate gate = new BuildGate(scope.run(), own);
        if (gate.unreadable > 0) {
            scope.tell(gate.unreadable + " records of this job cannot be read and count as absent.");
        }
        List<Criterion> criteria = List.of(GateText.parse(keys));
        List<String> ids = ids(jobs);
        List<RunRecord> tonight = gate.tonight(ids);
        Optional<String> lacking = lacking(ids, tonight);
        if (lacking.isPresent()) {
            scope.tell(lacking.get());
            gate.keep(
                    scope,
                    tonight,
                    PastVerdict.lacking(
                            "#" + gate.run.getNumber(),
                            gate.run.getUrl(),
                            criteria.get(0).title(),
                            lacking.get()));
            return new Answer(Effect.NOTE, "no verdict", lacking.get());
        }
        Evidence evidence = gate.evidence(tonight);
        GateReport report = Gate.judge(criteria, evidence);
        Finding finding = report.findings().get(0);
        new GateTable(report).text().lines().forEach(scope::tell);
        if (finding.call().bad()) {
            gate.explain(scope, evidence, finding);
        }
        gate.keep(scope, tonight, PastVerdict.of(report, tonight).get(0));
        return new Answer(finding.effect(), finding.call().words(), finding.sentence());
    }

    /** What changed since the last good run, and whether other jobs of the target got worse too. */
    private void explain(BuildScope scope, Evidence evidence, Finding finding) {
        RunRecord first = evidence.tonight().get(0);
        Changes.lastGood(evidence, finding)
                .ifPresent(good -> new Changes(good, first).text().lines().forEach(scope::tell));
        List<RunRecord> others = new ArrayList<>(all.stream()
                .filter(record -> !record.workName().equals(first.workName()))
                .toList());
        others.addAll(Neighbours.records(run.getParent()));
        scope.tell(new OtherJobs(first, finding, others).sentence());
    }

    /** Keeps the verdict for digests and pages, and shows it among the test results; neither is worth a failed build. */
    private void keep(BuildScope scope, List<RunRecord> tonight, PastVerdict verdict) {
        try {
            JobHistory.verdicts(run.getParent()).add(verdict);
            BuildTests.attach(scope, tonight, verdict);
        } catch (IOException e) {
            scope.tell("the verdict cannot be kept: " + e.getMessage());
        }
    }

    /** Why there is nothing whole to judge: a part of the jobs is not the night. */
    private static Optional<String> lacking(List<String> ids, List<RunRecord> tonight) {
        if (ids.isEmpty() && tonight.isEmpty()) {
            return Optional.of("No verdict: no job of this build has left a record yet. Let taoWait come first.");
        }
        List<String> absent = new ArrayList<>(ids);
        tonight.forEach(record -> absent.removeIf(record.id()::equals));
        return absent.isEmpty()
                ? Optional.empty()
                : Optional.of("No verdict: " + String.join(", ", absent)
                        + " left no record that can be read. Wait for each with taoWait first.");
    }

    /** The ids of jobs that are given as tokens or ids, one a line. */
    public static List<String> ids(String jobs) {
        List<String> ids = new ArrayList<>();
        jobs.lines()
                .map(String::strip)
                .filter(line -> !line.isEmpty())
                .forEach(line -> ids.add(
                        line.startsWith("tao1:") ? JobHandle.parse(line).key().value() : line));
        return ids;
    }

    private List<RunRecord> tonight(List<String> ids) {
        return all.stream()
                .filter(record -> ids.isEmpty() ? isOfThisBuild(record) : ids.contains(record.id()))
                .toList();
    }

    private boolean isOfThisBuild(RunRecord record) {
        return record.origin().fact(RunOrigin.URL).equals(Optional.of(run.getUrl()));
    }

    private Evidence evidence(List<RunRecord> tonight) {
        List<RunRecord> before = all.stream()
                .filter(record -> !isOfThisBuild(record))
                .filter(record -> record.submittedAt().isBefore(tonight.get(0).submittedAt()))
                .toList();
        return new Evidence(tonight, before, baselines.newestFor(tonight.get(0)), baselines.unreadable());
    }
}
