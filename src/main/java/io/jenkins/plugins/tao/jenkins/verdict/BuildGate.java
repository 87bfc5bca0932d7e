package io.jenkins.plugins.tao.jenkins.verdict;

import hudson.model.Result;
import hudson.model.Run;
import io.jenkins.plugins.tao.gate.Changes;
import io.jenkins.plugins.tao.gate.Confirmation;
import io.jenkins.plugins.tao.gate.Finding;
import io.jenkins.plugins.tao.gate.Gate;
import io.jenkins.plugins.tao.gate.GateReport;
import io.jenkins.plugins.tao.gate.GateTable;
import io.jenkins.plugins.tao.gate.OtherJobs;
import io.jenkins.plugins.tao.gate.PastVerdict;
import io.jenkins.plugins.tao.gate.criteria.Criterion;
import io.jenkins.plugins.tao.gate.criteria.Effect;
import io.jenkins.plugins.tao.gate.criteria.Evidence;
import io.jenkins.plugins.tao.gate.criteria.GateText;
import io.jenkins.plugins.tao.gate.criteria.SameBuild;
import io.jenkins.plugins.tao.gate.statistics.GateResult;
import io.jenkins.plugins.tao.history.Baselines;
import io.jenkins.plugins.tao.history.RunHistory;
import io.jenkins.plugins.tao.jenkins.config.FormText;
import io.jenkins.plugins.tao.jenkins.page.GateAnswer.Figures;
import io.jenkins.plugins.tao.jenkins.run.BuildOrigin;
import io.jenkins.plugins.tao.jenkins.run.BuildScope;
import io.jenkins.plugins.tao.jenkins.run.JobHistory;
import io.jenkins.plugins.tao.jenkins.run.JobRequests;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.record.RunOrigin;
import io.jenkins.plugins.tao.record.RunRecord;
import io.jenkins.plugins.tao.sweep.GroupGates;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Judges the runs of a build by the records of its job; the same for a Pipeline and a freestyle job. */
public final class BuildGate {
    private static final int MOST_NAMED = 5;

    private final Run<?, ?> run;
    private final List<RunRecord> all;
    private final int unreadable;
    private final boolean torn;
    private final List<String> lost = new ArrayList<>();
    private final Baselines.Known baselines;

    private BuildGate(Run<?, ?> run, Optional<Baselines.Known> own) throws IOException {
        this.run = run;
        RunHistory history = JobHistory.of(run.getParent());
        RunHistory.Known known = history.read();
        torn = history.endsTorn();
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
     * The gates in a text, one a line, as in {@code {kpi: val_acc, atLeast: 0.42}}; each is checked.
     *
     * @param field what the text is called, for messages
     * @throws IllegalArgumentException if one is written wrong
     */
    public static List<Map<String, String>> read(String field, String text) {
        List<Map<String, String>> gates = FormText.list(text).stream()
                .map(gate -> FormText.texts(field, gate))
                .toList();
        gates.forEach(GateText::parse);
        return gates;
    }

    /**
     * Judges, and tells the build log and the page of the build.
     *
     * @param keys the gate, as docs/gates.md has it
     * @param jobs tokens or ids of the jobs to judge, one a line; empty for each training of this build
     * @param own baselines of a file of the repository; empty for those of the job
     * @param step the id of the step that asks, the same after a restart; empty where no step does
     * @throws IllegalArgumentException if the gate is written wrong
     */
    public static Answer judge(
            BuildScope scope, Map<String, String> keys, String jobs, Optional<Baselines.Known> own, String step)
            throws IOException {
        GateQuestion question = new GateQuestion(scope, keys, step);
        BuildGate gate = new BuildGate(scope.run(), own);
        gate.tellUnreadable(scope);
        Criterion criterion = GateText.parse(keys);
        List<String> ids = ids(jobs);
        List<RunRecord> runs = gate.chosen(ids);
        Optional<String> lacking = gate.lacking(ids, runs);
        if (lacking.isPresent()) {
            return gate.lacking(question, criterion, runs, lacking.get());
        }
        Evidence evidence = gate.evidence(runs);
        GateReport report = Gate.judge(List.of(criterion), evidence);
        new GateTable(report).text().lines().forEach(scope::say);
        Iterator<PastVerdict> verdicts = PastVerdict.of(report, runs).iterator();
        for (Finding finding : report.findings()) {
            Evidence judged = evidence.only(finding.of(runs));
            if (finding.call().bad()) {
                gate.explain(scope, judged, finding);
            }
            String title = gate.shown(question, finding, judged.tonight(), !ids.isEmpty());
            gate.keep(scope, runs, verdicts.next().withGate(title));
        }
        return gate.complete(answer(report));
    }

    /** What could not be read or written is no success, however good the rest is. */
    private Answer complete(Answer answer) {
        if (torn) {
            lost.add("The last line of the history is cut, so a run may be missing: run its job again.");
        }
        if (lost.isEmpty()) {
            return answer;
        }
        Effect effect = answer.effect() == Effect.NOTE ? Effect.UNSTABLE : answer.effect();
        return new Answer(effect, answer.answer(), answer.sentence() + " " + String.join(" ", lost));
    }

    /** A build whose runs are lacking: no verdict, and with a bound that nothing holds a failure. */
    private Answer lacking(GateQuestion question, Criterion criterion, List<RunRecord> runs, String why) {
        BuildScope scope = question.scope();
        scope.say(why);
        Answer answer = new Answer(criterion.whenSilent(), GateResult.NO_VERDICT.words(), why);
        String title = question.show(criterion.title(), "", "", Figures.NONE, answer.toMap());
        keep(scope, runs, PastVerdict.lacking("#" + run.getNumber(), run.getUrl(), title, answer.effect(), why));
        return complete(answer);
    }

    /** One answer of all trainings: the worst word, and each bad sentence, or all where none is bad. */
    private static Answer answer(GateReport report) {
        List<Finding> findings = report.findings();
        Finding worst = findings.stream()
                .max(Comparator.comparing(Finding::effect)
                        .thenComparing(finding -> finding.call().bad())
                        .thenComparing(finding -> finding.call() == GateResult.SUSPECT)
                        .thenComparing(finding -> finding.call() == GateResult.NO_VERDICT))
                .orElseThrow();
        boolean several = findings.size() > 1;
        boolean bad = worst.effect() != Effect.NOTE || worst.call().bad();
        String words = findings.stream()
                .filter(finding -> !bad
                        || finding.effect() != Effect.NOTE
                        || finding.call().bad())
                .map(finding -> (several ? finding.subject().training() + ": " : "") + finding.sentence())
                .collect(Collectors.joining(" "));
        return new Answer(report.effect(), worst.call().words(), words);
    }

    private String shown(GateQuestion question, Finding finding, List<RunRecord> runs, boolean named) {
        RunRecord first = runs.get(0);
        boolean called = !first.jobName().equals(run.getParent().getName());
        String training = finding.subject().training().isEmpty() && named
                ? called ? first.jobName() : first.workName()
                : finding.subject().training();
        String title = training.isEmpty()
                ? finding.title()
                : training + ": " + finding.criterion().title();
        return question.show(
                title,
                training,
                first.id(),
                Figures.of(finding),
                answer(finding).toMap());
    }

    private static Answer answer(Finding finding) {
        return new Answer(finding.effect(), finding.call().words(), finding.sentence());
    }

    /**
     * The run that would settle a suspect night; tells and keeps nothing.
     *
     * @param keys the gate, as docs/gates.md has it
     * @throws IllegalArgumentException if the gate is written wrong, or names a seed that the spec of a job does not have
     */
    public static Optional<Confirmation> confirmation(
            BuildScope scope, Map<String, String> keys, String jobs, Optional<Baselines.Known> own) throws IOException {
        BuildGate gate = new BuildGate(scope.run(), own);
        List<RunRecord> runs = gate.chosen(ids(jobs));
        if (gate.lacking(ids(jobs), runs).isPresent()) {
            return Optional.empty();
        }
        JobRequests.checkSeed(scope.run(), runs.stream().map(RunRecord::id).toList(), GateText.confirm(keys));
        Evidence evidence = gate.evidence(runs);
        return Confirmation.of(Gate.judge(List.of(GateText.parse(keys)), evidence), evidence);
    }

    /** What changed since the last good run, and whether other jobs of the target got worse too. */
    private void explain(BuildScope scope, Evidence evidence, Finding finding) {
        RunRecord first = evidence.tonight().get(0);
        Changes.lastGood(evidence, finding)
                .ifPresent(good -> new Changes(good, first).text().lines().forEach(scope::say));
        List<RunRecord> others = new ArrayList<>(all.stream()
                .filter(record -> !record.workName().equals(first.workName()))
                .toList());
        others.addAll(Neighbours.records(run.getParent()));
        new OtherJobs(first, finding, others).sentence().ifPresent(scope::say);
    }

    /** Keeps the verdict for digests and pages, and shows it among the test results; what cannot be written is no success. */
    private void keep(BuildScope scope, List<RunRecord> runs, PastVerdict verdict) {
        try {
            JobHistory.verdicts(run.getParent()).add(verdict);
            BuildTests.attach(scope, runs, verdict);
        } catch (IOException e) {
            String what = "The verdict cannot be kept: " + e.getMessage() + ". Make room on the controller.";
            scope.say(what);
            lost.add(what);
        }
    }

    /** Why there is nothing whole to judge: a part of the jobs is not the night. A name that is no id is told beside those there are. */
    private Optional<String> lacking(List<String> ids, List<RunRecord> runs) {
        if (ids.isEmpty() && runs.isEmpty()) {
            return Optional.of("No verdict: no job of this build has left a record yet. Let taoWait come first.");
        }
        String known = all.stream().map(RunRecord::id).limit(MOST_NAMED).collect(Collectors.joining(", "));
        return absent(ids, runs)
                .map(absent -> "No verdict: " + absent + " left no record that can be read."
                        + (known.isEmpty() ? "" : " This build has those of " + known + ".")
                        + " Wait for each with taoWait first, and name it by what taoRun returned or by its id.");
    }

    private static Optional<String> absent(List<String> ids, List<RunRecord> found) {
        List<String> absent = new ArrayList<>(ids);
        found.forEach(record -> absent.removeIf(record.id()::equals));
        return absent.isEmpty() ? Optional.empty() : Optional.of(String.join(", ", absent));
    }

    private void tellUnreadable(BuildScope scope) {
        if (unreadable > 0) {
            scope.say(unreadable + " records of this job cannot be read and count as absent.");
        }
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

    private List<RunRecord> chosen(List<String> ids) {
        return ids.isEmpty()
                ? ofThisBuild()
                : all.stream().filter(record -> isOneOf(ids, record)).toList();
    }

    /** The runs of this build, and not those of a former one that had its number. */
    private List<RunRecord> ofThisBuild() {
        return SameBuild.newest(all.stream().filter(this::isOfThisBuild).toList());
    }

    /** A run that confirms one of them is judged with it. */
    private static boolean isOneOf(List<String> ids, RunRecord record) {
        return ids.contains(record.id())
                || record.origin()
                        .fact(RunOrigin.CONFIRMED_RUN)
                        .filter(ids::contains)
                        .isPresent();
    }

    private boolean isOfThisBuild(RunRecord record) {
        return BuildOrigin.isOf(run, record.origin());
    }

    /**
     * What came of the groups of a sweep.
     *
     * @param answers a finding each: group, kpi, answer, effect, evidence
     */
    public record Groups(List<Map<String, String>> answers) {
        public Groups {
            answers = List.copyOf(answers);
        }

        /** The evidence of the first that fails the build. */
        public Optional<String> failure() {
            return of(Effect.FAILURE).map(answer -> answer.get("group") + ": " + answer.get("evidence"));
        }

        private Optional<Map<String, String>> of(Effect effect) {
            return answers.stream()
                    .filter(answer -> effect.name().equals(answer.get("effect")))
                    .findFirst();
        }

        /** Makes the build unstable if one says so. */
        public void unstable(Run<?, ?> run) {
            if (of(Effect.UNSTABLE).isPresent()) {
                run.setResult(Result.UNSTABLE);
            }
        }

        /** For a Pipeline: lists and maps of texts alone. */
        public List<Map<String, String>> toList() {
            return new ArrayList<>(answers);
        }
    }

    /** Judges the jobs {@code ids}, cells of a sweep, group by group, and tells the build log; none without gates. */
    public static Groups judgeGroups(BuildScope scope, List<Map<String, String>> gates, List<String> ids)
            throws IOException {
        if (gates.isEmpty()) {
            return new Groups(List.of());
        }
        BuildGate gate = new BuildGate(scope.run(), Optional.empty());
        gate.tellUnreadable(scope);
        List<RunRecord> runs = gate.chosen(ids);
        if (ids.isEmpty() || runs.isEmpty()) {
            scope.say("No verdict: no cell of the sweep left a record.");
            return new Groups(List.of());
        }
        absent(ids, runs)
                .ifPresent(absent -> scope.say(
                        "Groups are judged without " + absent + ": there is no record of it that can be read."));
        List<Map<String, String>> told = new ArrayList<>();
        for (GroupGates.Answer answer : gate.groups(gates, runs.get(0)).judge(runs)) {
            scope.say(answer.words() + ":");
            new GateTable(answer.report()).text().lines().forEach(scope::say);
            Iterator<PastVerdict> verdicts =
                    PastVerdict.of(answer.report(), answer.runs()).iterator();
            for (Finding finding : answer.report().findings()) {
                Map<String, String> event = answer(finding).toMap();
                event.put("group", answer.group());
                event.put("kpi", finding.criterion().metric());
                told.add(event);
                Map<String, String> shown = new LinkedHashMap<>(event);
                shown.put("kpi", answer.group() + " " + finding.criterion().metric());
                String title = new GateQuestion(scope, keys(gates, finding), "")
                        .show(
                                answer.group() + ": " + finding.title(),
                                "",
                                answer.runs().get(0).id(),
                                Figures.of(finding),
                                shown);
                gate.keep(scope, answer.runs(), verdicts.next().withGate(title));
            }
        }
        return new Groups(told);
    }

    private GroupGates groups(List<Map<String, String>> gates, RunRecord first) {
        List<RunRecord> before =
                all.stream().filter(record -> !isOfThisBuild(record)).toList();
        List<Criterion> criteria = gates.stream().map(GateText::parse).toList();
        return new GroupGates(criteria, before, baselines.levels(), baselines.newestFor(first), baselines.unreadable());
    }

    /** The one of {@code gates} that {@code finding} answers. */
    private static Map<String, String> keys(List<Map<String, String>> gates, Finding finding) {
        return gates.stream()
                .filter(keys -> GateText.parse(keys).equals(finding.criterion()))
                .findFirst()
                .orElse(Map.of());
    }

    private Evidence evidence(List<RunRecord> runs) {
        RunRecord first = runs.get(0);
        Set<String> build = ofThisBuild().stream().map(RunRecord::id).collect(Collectors.toSet());
        List<RunRecord> before = all.stream()
                .filter(record -> !build.contains(record.id()))
                .filter(record -> record.submittedAt().isBefore(first.submittedAt()))
                .toList();
        return new Evidence(runs, before, baselines.levels(), baselines.newestFor(first), baselines.unreadable());
    }
}
