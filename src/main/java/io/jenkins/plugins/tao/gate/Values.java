package io.jenkins.plugins.tao.gate;

import io.jenkins.plugins.tao.record.MetricSummary;
import io.jenkins.plugins.tao.record.RunRecord;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/** The number that a criterion asks of each run. */
final class Values {
    private static final int MOST_NAMED = 8;
    /** Beyond it sums of squares are no numbers any more; no metric of a training gets there. */
    private static final double HUGE = 1e100;

    private final Criterion criterion;
    private final Optional<Direction> metricDirection;

    /** The values of {@code criterion} for runs like {@code run}. */
    Values(Criterion criterion, RunRecord run) {
        this.criterion = criterion;
        metricDirection = criterion
                .direction()
                .or(() -> Measure.named(criterion.metric()).map(Measure::direction))
                .or(() -> KnownMetrics.of(run, criterion.metric()).map(KnownMetrics.Row::direction));
    }

    /** Which values are good; empty when it is not known. */
    Optional<Direction> direction() {
        boolean own = !(criterion.reading() instanceof Reading.Last
                || criterion.reading() instanceof Reading.Best
                || criterion.reading() instanceof Reading.EpochsTo
                || criterion.reading() instanceof Reading.Divergence);
        return own ? Optional.of(Direction.LOWER) : metricDirection.map(criterion.reading()::direction);
    }

    /** Why {@code run} has no value to speak of: it lacks the metric, has two of the name, or no number. */
    Optional<String> missing(RunRecord run) {
        if (of(run).isPresent()) {
            return Optional.empty();
        }
        String name = criterion.metric();
        List<String> twice = run.metrics().keySet().stream()
                .filter(key -> key.startsWith(name + " ["))
                .toList();
        if (!twice.isEmpty()) {
            return Optional.of(twice.size() + " metrics of " + run.label() + " are called '" + name
                    + "'. Name one of them: '" + String.join("', '", twice) + "'.");
        }
        if (run.texts("metricsNotNumbers").contains(name)) {
            return Optional.of("'" + name + "' of " + run.label() + " is no number.");
        }
        if (Measure.named(name).isPresent()) {
            return Optional.of("the " + name + " of " + run.label() + " is not known.");
        }
        if (run.metric(name).isPresent()) {
            return Optional.of(run.label() + " did not reach it: " + criterion.title() + ".");
        }
        List<String> has = new ArrayList<>(run.metrics().keySet());
        return Optional.of(run.label() + " reported no '" + name + "'. "
                + (has.isEmpty()
                        ? "It reported no metric at all: is there a status.json?"
                        : "It reported: " + String.join(", ", has.subList(0, Math.min(MOST_NAMED, has.size()))) + "."));
    }

    /** The number of one run; what is too great for a number of a training is infinite. */
    OptionalDouble of(RunRecord run) {
        Optional<Measure> measure = Measure.named(criterion.metric());
        OptionalDouble found = run.metric(criterion.metric()).isEmpty() && measure.isPresent()
                ? measure.get().of(run)
                : ofMetric(run);
        return found.isPresent() && Math.abs(found.getAsDouble()) > HUGE
                ? OptionalDouble.of(Math.copySign(Double.POSITIVE_INFINITY, found.getAsDouble()))
                : found;
    }

    private OptionalDouble ofMetric(RunRecord run) {
        Optional<MetricSummary> metric = run.metric(criterion.metric());
        return metric.isEmpty()
                ? OptionalDouble.empty()
                : criterion.reading().of(metric.get(), metricDirection.orElse(Direction.HIGHER));
    }

    /** The runs as nights in order, those with one label together. */
    List<Night> nights(List<RunRecord> runs) {
        Map<String, List<RunRecord>> byLabel = new LinkedHashMap<>();
        runs.forEach(run ->
                byLabel.computeIfAbsent(label(run), label -> new ArrayList<>()).add(run));
        List<Night> nights = new ArrayList<>();
        byLabel.forEach((label, group) -> nights.add(night(label, group)));
        return nights;
    }

    /** A confirming run belongs to the night that it confirms. */
    private static String label(RunRecord run) {
        return run.origin()
                .fact(io.jenkins.plugins.tao.record.RunOrigin.CONFIRMS)
                .orElseGet(run::label);
    }

    private Night night(String label, List<RunRecord> runs) {
        List<RunRecord> planned =
                runs.stream().filter(run -> !Evidence.confirms(run)).toList();
        Night night = new Night(label, values(planned), planned.size(), Optional.empty());
        List<Double> confirming =
                values(runs.stream().filter(Evidence::confirms).toList());
        return confirming.isEmpty() ? night : night.confirmedBy(confirming.get(confirming.size() - 1));
    }

    private List<Double> values(List<RunRecord> runs) {
        List<Double> values = new ArrayList<>();
        runs.stream().filter(RunRecord::succeeded).forEach(run -> of(run).ifPresent(values::add));
        return values;
    }
}
