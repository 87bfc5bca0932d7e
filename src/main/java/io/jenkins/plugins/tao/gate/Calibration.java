package io.jenkins.plugins.tao.gate;

import io.jenkins.plugins.tao.gate.criteria.Criterion;
import io.jenkins.plugins.tao.gate.criteria.Evidence;
import io.jenkins.plugins.tao.gate.criteria.GateText;
import io.jenkins.plugins.tao.gate.criteria.Matching;
import io.jenkins.plugins.tao.gate.criteria.SameBuild;
import io.jenkins.plugins.tao.gate.criteria.Training;
import io.jenkins.plugins.tao.gate.criteria.Words;
import io.jenkins.plugins.tao.gate.statistics.BaselineStatistics;
import io.jenkins.plugins.tao.gate.statistics.Direction;
import io.jenkins.plugins.tao.gate.statistics.EvaluatedSample;
import io.jenkins.plugins.tao.gate.statistics.GateResult;
import io.jenkins.plugins.tao.gate.statistics.MetricRange;
import io.jenkins.plugins.tao.gate.statistics.MetricRule;
import io.jenkins.plugins.tao.gate.statistics.Sample;
import io.jenkins.plugins.tao.gate.statistics.Series;
import io.jenkins.plugins.tao.gate.statistics.SeriesEvent;
import io.jenkins.plugins.tao.job.text.Sentences;
import io.jenkins.plugins.tao.record.RunRecord;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * How small a drop of one metric of one training can be found, and the gate that its runs suggest. Pure: the same runs give the same
 * numbers.
 *
 * @param training the name of the training
 * @param metric the metric, with what is read of its curve
 * @param runs the comparable runs of the present level, the newest {@value BaselineStatistics#WINDOW} at most
 * @param lacking why no gate is suggested; empty where one is
 * @param found what the suggested gate finds; empty without one
 * @param gate its keys and values, as {@link GateText} reads them; none without one
 */
public record Calibration(
        String training, String metric, int runs, String lacking, Optional<Found> found, Map<String, String> gate) {
    /** With fewer comparable runs no gate is suggested. */
    public static final int LEAST_RUNS = 5;

    public Calibration {
        gate = Collections.unmodifiableMap(new LinkedHashMap<>(gate));
    }

    /**
     * What a gate finds, in the metric's unit.
     *
     * @param direction which values are good
     * @param usual the mean of the level
     * @param spread the standard deviation of one run
     * @param inOneRun the smallest drop whose first run is suspect or red in four of five cases
     * @param inFiveRuns the smallest drop that is red within five runs in four of five cases
     */
    public record Found(Direction direction, double usual, double spread, double inOneRun, double inFiveRuns) {}

    /**
     * One for each metric of each training of a build that reports it.
     *
     * @param gates what is judged, as people write it; none for all metrics
     * @throws IllegalArgumentException if a gate is wrong
     */
    public static List<Calibration> of(List<Map<String, String>> gates, Evidence evidence) {
        Set<Map<String, String>> asked =
                gates.stream().map(Calibration::withoutBound).collect(Collectors.toCollection(LinkedHashSet::new));
        List<Calibration> all = new ArrayList<>();
        for (Training training : Training.of(evidence.tonight(), Matching.USUAL)) {
            Evidence own = evidence.only(training.runs());
            (asked.isEmpty() ? metrics(own.anchor()) : asked)
                    .forEach(gate -> of(training.name(), gate, own).ifPresent(all::add));
        }
        return List.copyOf(all);
    }

    private static Set<Map<String, String>> metrics(RunRecord run) {
        Set<String> names = new LinkedHashSet<>(run.metrics().keySet());
        names.addAll(run.metricsOfMembers());
        return names.stream().map(name -> Map.of("kpi", name)).collect(Collectors.toCollection(LinkedHashSet::new));
    }

    /** The question that the usual rule asks in place of a bound. */
    private static Map<String, String> withoutBound(Map<String, String> gate) {
        Map<String, String> keys = new LinkedHashMap<>(gate);
        keys.keySet().removeAll(GateText.BOUNDS);
        keys.keySet().removeAll(Set.of("by", "noise"));
        if (gate.containsKey("atLeast") || gate.containsKey("atMost")) {
            keys.putIfAbsent("direction", gate.containsKey("atLeast") ? "higher" : "lower");
        }
        return keys;
    }

    private static Optional<Calibration> of(String training, Map<String, String> gate, Evidence evidence) {
        Criterion criterion = GateText.parse(gate);
        Values values = new Values(criterion, evidence.anchor());
        Sample newest = values.sample(SameBuild.newest(evidence.tonight()));
        List<SeriesEvent> events = new SeriesEvents(evidence, criterion.matching(), "").until(values, newest);
        List<Sample> known = events.stream()
                .filter(Sample.class::isInstance)
                .map(Sample.class::cast)
                .filter(Sample::valid)
                .toList();
        return known.isEmpty() ? Optional.empty() : Optional.of(of(training, gate, values, events, known));
    }

    private static Calibration of(
            String training, Map<String, String> gate, Values values, List<SeriesEvent> events, List<Sample> known) {
        Criterion criterion = GateText.parse(gate);
        Calibration none = new Calibration(
                training,
                criterion.reading().words() + criterion.metric(),
                known.size(),
                "",
                Optional.empty(),
                Map.of());
        if (values.direction().isEmpty()) {
            return none.lacking(known.size(), "whether it is better high or low is not known");
        }
        boolean inside = known.stream()
                .flatMap(run -> run.values().stream())
                .allMatch(value -> !Double.isFinite(value) || values.range().contains(value));
        MetricRule rule = new MetricRule(
                values.direction().get(),
                inside ? values.range() : MetricRange.OPEN,
                OptionalDouble.empty(),
                criterion.minDrop());
        double[] level = level(Series.evaluate(rule, events));
        if (level.length < LEAST_RUNS) {
            int more = LEAST_RUNS - level.length;
            return none.lacking(
                    level.length,
                    Sentences.count(more, "more comparable run") + (more == 1 ? " is" : " are") + " needed");
        }
        double minDrop = criterion.minDrop() > 0 ? criterion.minDrop() : coarse(level);
        Series series = new Series(new MetricRule(rule.direction(), rule.range(), rule.noise(), minDrop));
        events.forEach(series::add);
        return series.preview(Sample.of("next", level[level.length - 1]))
                .baseline()
                .map(usual -> none.suggesting(gate, rule, usual, minDrop, known.get(known.size() - 1)))
                .orElseGet(() -> none.lacking(level.length, "each value is 0, so say which drop matters: minDrop"));
    }

    private Calibration lacking(int count, String why) {
        return new Calibration(training, metric, count, why, Optional.empty(), Map.of());
    }

    private Calibration suggesting(
            Map<String, String> asked, MetricRule rule, BaselineStatistics usual, double minDrop, Sample newest) {
        double mean = rule.unscaled(usual.mean());
        double spread = Math.abs(mean - rule.unscaled(usual.mean() - usual.scale()));
        Map<String, String> keys = new LinkedHashMap<>(Map.of("kpi", asked.getOrDefault("kpi", "")));
        keys.putAll(asked);
        if (spread > 0) {
            keys.put("noise", Words.rounded(spread, 2));
        }
        if (minDrop > 0) {
            keys.put("minDrop", Words.rounded(minDrop, 2));
        }
        keys.put("direction", rule.direction() == Direction.HIGHER ? "higher" : "lower");
        keys.putIfAbsent("effect", usual.runs() < BaselineStatistics.WINDOW ? "unstable" : "failure");
        Criterion gated = GateText.parse(keys);
        DropFinder finder = new DropFinder(
                new MetricRule(rule.direction(), rule.range(), gated.noise(), gated.minDrop()),
                usual,
                newest.finite().length);
        return new Calibration(
                training,
                metric,
                usual.runs(),
                "",
                Optional.of(new Found(rule.direction(), mean, spread, finder.within(1), finder.within(5))),
                keys);
    }

    /** The newest values of the present level; a run that is red or suspect is none of it. */
    private static double[] level(List<EvaluatedSample> answers) {
        String since = answers.get(answers.size() - 1).state().level().since();
        List<Double> values = new ArrayList<>();
        for (EvaluatedSample answer : answers) {
            if (answer.sample().label().equals(since)) {
                values.clear();
            }
            if (answer.value().isPresent() && !answer.result().bad() && answer.result() != GateResult.SUSPECT) {
                values.add(answer.value().getAsDouble());
            }
        }
        return values.subList(Math.max(0, values.size() - BaselineStatistics.WINDOW), values.size()).stream()
                .mapToDouble(Double::doubleValue)
                .toArray();
    }

    /** Which drop matters where at least half of the values are equal: two steps, or a hundredth where all are; else 0. */
    private static double coarse(double... level) {
        double[] sorted = Arrays.stream(level).sorted().toArray();
        double median = sorted[sorted.length / 2];
        if (2 * Arrays.stream(level).filter(value -> value == median).count() < level.length) {
            return 0;
        }
        return 2
                * IntStream.range(1, sorted.length)
                        .mapToDouble(i -> sorted[i] - sorted[i - 1])
                        .filter(step -> step > 0)
                        .min()
                        .orElse(Math.abs(median) / 200);
    }
}
