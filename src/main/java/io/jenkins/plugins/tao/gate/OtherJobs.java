package io.jenkins.plugins.tao.gate;

import io.jenkins.plugins.tao.gate.criteria.Criterion;
import io.jenkins.plugins.tao.gate.criteria.Evidence;
import io.jenkins.plugins.tao.gate.criteria.GateText;
import io.jenkins.plugins.tao.gate.statistics.GateResult;
import io.jenkins.plugins.tao.gate.statistics.Measure;
import io.jenkins.plugins.tao.job.text.Sentences;
import io.jenkins.plugins.tao.record.RunOrigin;
import io.jenkins.plugins.tao.record.RunRecord;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * Whether other jobs on the same target got worse in the same 12 hours. Each of them is judged by its own runs and the usual rule; when several got
 * worse, the target or what all jobs share is the likelier cause. Pure.
 */
public final class OtherJobs {
    private static final Duration SAME_NIGHT = Duration.ofHours(12);
    private static final int MOST_NAMED = 5;

    private final RunRecord tonight;
    private final Finding finding;
    private final Map<String, List<RunRecord>> series = new LinkedHashMap<>();

    /**
     * The jobs beside {@code tonight}.
     *
     * @param finding what is worse
     * @param others records of other jobs, any order; those of other targets do not count
     */
    public OtherJobs(RunRecord tonight, Finding finding, List<RunRecord> others) {
        this.tonight = tonight;
        this.finding = finding;
        others.stream()
                .filter(run -> run.text("target").equals(tonight.text("target")))
                .forEach(run -> series.computeIfAbsent(name(run), name -> new ArrayList<>())
                        .add(run));
    }

    private static String name(RunRecord run) {
        return (run.origin().fact(RunOrigin.JOB).orElse("") + " " + run.workName()).strip();
    }

    /** How many others were judged, and which of them got worse, in one sentence; empty when none could be judged. */
    public Optional<String> sentence() {
        String target = tonight.text("target").orElse("this target");
        List<String> worse = new ArrayList<>();
        int judged = 0;
        int unclear = 0;
        for (Map.Entry<String, List<RunRecord>> job : series.entrySet()) {
            Optional<Finding> found = judge(job.getValue());
            if (found.isEmpty()) {
                continue;
            }
            GateResult call = found.get().call();
            if (call == GateResult.NO_VERDICT) {
                unclear++;
                continue;
            }
            judged++;
            if (isNew(found.get(), job.getValue())) {
                worse.add(job.getKey() + " (" + found.get().criterion().metric() + ": " + call.words() + ")");
            }
        }
        if (judged == 0) {
            return Optional.empty();
        }
        String without = unclear == 0 ? "" : " " + Sentences.count(unclear, "other job") + " cannot be judged.";
        return Optional.of(
                worse.isEmpty()
                        ? judged(0, judged, target) + "." + without
                        : judged(worse.size(), judged, target) + ": " + named(worse) + ". Look at the target first."
                                + without);
    }

    private static String judged(int worse, int judged, String target) {
        return worse + " of " + Sentences.count(judged, "other job") + " on " + target
                + " got worse within 12 hours of it";
    }

    private static String named(List<String> worse) {
        return String.join(", ", worse.subList(0, Math.min(MOST_NAMED, worse.size())))
                + (worse.size() > MOST_NAMED ? " and others" : "");
    }

    /** Whether it got worse within 12 hours; a regression that began earlier says nothing of this one. */
    private boolean isNew(Finding found, List<RunRecord> runs) {
        return found.standing()
                .began()
                .map(began -> within(runs).stream().anyMatch(run -> run.label().equals(began.since())))
                .orElse(found.call().bad() || found.call() == GateResult.SUSPECT);
    }

    private List<RunRecord> within(List<RunRecord> runs) {
        return runs.stream()
                .filter(run -> Duration.between(run.submittedAt(), tonight.submittedAt())
                                .abs()
                                .compareTo(SAME_NIGHT)
                        <= 0)
                .toList();
    }

    /** The other job's newest run within 12 hours; empty when it did not run, or has nothing to be judged by. */
    private Optional<Finding> judge(List<RunRecord> runs) {
        List<RunRecord> same = within(runs);
        if (same.isEmpty()) {
            return Optional.empty();
        }
        String label = same.get(same.size() - 1).label();
        List<RunRecord> own =
                same.stream().filter(run -> run.label().equals(label)).toList();
        Optional<String> metric = metric(own);
        if (metric.isEmpty()) {
            return Optional.empty();
        }
        List<RunRecord> before = runs.stream()
                .filter(run -> run.submittedAt().isBefore(own.get(0).submittedAt()))
                .toList();
        Criterion usual = GateText.parse(Map.of("kpi", metric.get()));
        return Optional.of(
                Gate.judge(List.of(usual), new Evidence(own, before)).findings().get(0));
    }

    /** The same metric where that job has it, else its first one whose direction is known. */
    private Optional<String> metric(List<RunRecord> runs) {
        String wanted = finding.criterion().metric();
        for (RunRecord run : runs) {
            boolean measured = Measure.named(wanted)
                    .map(measure -> measure.of(run))
                    .filter(OptionalDouble::isPresent)
                    .isPresent();
            if (measured || run.metric(wanted).isPresent()) {
                return Optional.of(wanted);
            }
        }
        return Measure.named(wanted).isPresent()
                ? Optional.empty()
                : runs.stream()
                        .flatMap(run -> run.metrics().keySet().stream()
                                .filter(name -> KnownMetrics.of(run, name).isPresent()))
                        .findFirst();
    }
}
