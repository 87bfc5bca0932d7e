package io.jenkins.plugins.tao.gate;

import io.jenkins.plugins.tao.gate.criteria.Criterion;
import io.jenkins.plugins.tao.gate.criteria.Evidence;
import io.jenkins.plugins.tao.gate.criteria.Reading;
import io.jenkins.plugins.tao.gate.criteria.SameBuild;
import io.jenkins.plugins.tao.gate.criteria.Tries;
import io.jenkins.plugins.tao.gate.statistics.Direction;
import io.jenkins.plugins.tao.gate.statistics.Measure;
import io.jenkins.plugins.tao.gate.statistics.MetricRange;
import io.jenkins.plugins.tao.gate.statistics.Sample;
import io.jenkins.plugins.tao.record.MetricSummary;
import io.jenkins.plugins.tao.record.RunRecord;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Predicate;
import org.apache.commons.text.similarity.LevenshteinDistance;

/** The number that a criterion asks of each run. */
final class Values {
    private static final int MOST_NAMED = 8;
    private static final int LONGEST_NAME = 10_000;
    /** Beyond it sums of squares are no numbers any more; no metric of a training gets there. */
    private static final double HUGE = 1e100;

    private final Criterion criterion;
    private final Optional<Direction> metricDirection;
    private final MetricRange metricRange;

    /** The values of {@code criterion} for runs like {@code run}. */
    Values(Criterion criterion, RunRecord run) {
        this.criterion = criterion;
        metricDirection = criterion
                .direction()
                .or(() -> Measure.named(criterion.metric()).map(Measure::direction))
                .or(() -> KnownMetrics.of(run, criterion.metric()).map(KnownMetrics.Row::direction));
        metricRange = criterion
                .range()
                .or(() -> KnownMetrics.of(run, criterion.metric()).map(KnownMetrics.Row::scale))
                .orElse(MetricRange.OPEN);
    }

    /** The range of its values. */
    MetricRange range() {
        return criterion.reading().ofMetric() ? metricRange : MetricRange.OPEN;
    }

    /** Which values are good; empty when it is not known. */
    Optional<Direction> direction() {
        boolean own = !(criterion.reading().ofMetric()
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
        if (lacksFront(run)) {
            return Optional.of(run.label() + " lacks its oldest values, and "
                    + criterion.reading().words() + name + " counts them: "
                    + run.text(RunRecord.FRONT).orElse("") + ".");
        }
        if (run.metric(name).isPresent()) {
            return Optional.of(criterion
                    .reading()
                    .lacking(run.label(), name, run.metric(name).get(), metricDirection.orElse(Direction.HIGHER)));
        }
        if (!run.ofMembers(name).isEmpty()) {
            return Optional.of(run.ofMembers(name).size() + " of " + run.members() + " members of " + run.label()
                    + " reported '" + name + "', or what is read of it is not kept for members: name one, as in '"
                    + name
                    + " [" + run.ofMembers(name).keySet().iterator().next() + "]'.");
        }
        return Optional.of(run.label() + " reported no '" + name + "'. " + nearest(run, name));
    }

    private static String nearest(RunRecord run, String name) {
        List<String> has = new ArrayList<>(run.metrics().keySet());
        has.addAll(run.metricsOfMembers());
        LevenshteinDistance distance = new LevenshteinDistance(LONGEST_NAME);
        has.sort(Comparator.comparingInt(
                known -> distance.apply(name.toLowerCase(Locale.ROOT), known.toLowerCase(Locale.ROOT))));
        return has.isEmpty()
                ? "It reported no metric at all: is there a status.json?"
                : "Nearest of what it reported: " + String.join(", ", has.subList(0, Math.min(MOST_NAMED, has.size())))
                        + ".";
    }

    /** Whether the oldest values of {@code run} are missing, and count. */
    boolean lacksFront(RunRecord run) {
        boolean ofLast = criterion.reading() instanceof Reading.Last || criterion.reading() instanceof Reading.OfLast;
        return !ofLast && run.text(RunRecord.FRONT).isPresent();
    }

    /** The number of one run; of an array that of its members, which is their mean if at least half of them have one. */
    OptionalDouble of(RunRecord run) {
        OptionalDouble whole = ofWhole(run);
        List<Double> members = whole.isPresent() ? List.of() : each(run, whole);
        return members.isEmpty() || 2 * members.size() < run.members()
                ? whole
                : members.stream().mapToDouble(Double::doubleValue).average();
    }

    /** What is too great for a number of a training is infinite. */
    private OptionalDouble ofWhole(RunRecord run) {
        Optional<Measure> measure = Measure.named(criterion.metric());
        return bounded(
                run.metric(criterion.metric()).isEmpty() && measure.isPresent()
                        ? measure.get().of(run)
                        : ofMetric(run));
    }

    private static OptionalDouble bounded(OptionalDouble found) {
        return found.isPresent() && Math.abs(found.getAsDouble()) > HUGE
                ? OptionalDouble.of(Math.copySign(Double.POSITIVE_INFINITY, found.getAsDouble()))
                : found;
    }

    private OptionalDouble ofMetric(RunRecord run) {
        Optional<MetricSummary> metric = run.metric(criterion.metric());
        return metric.isEmpty() ? OptionalDouble.empty() : read(run, metric.get());
    }

    private OptionalDouble read(RunRecord run, MetricSummary metric) {
        return lacksFront(run)
                ? OptionalDouble.empty()
                : bounded(criterion.reading().of(metric, metricDirection.orElse(Direction.HIGHER)));
    }

    /** The values of the runs of one build; a confirming run belongs to the one that it confirms. */
    Sample sample(List<RunRecord> runs) {
        List<Double> values = new ArrayList<>();
        int count = 0;
        for (RunRecord run : planned(runs)) {
            OptionalDouble whole = ofWhole(run);
            if (run.succeeded()) {
                values.addAll(each(run, whole));
            }
            count += whole.isPresent() ? 1 : Math.max(1, run.members());
        }
        Sample sample = new Sample(SameBuild.label(runs.get(0)), values, count, Optional.empty());
        OptionalDouble rerun = last(runs, run -> Evidence.confirms(run) && !Evidence.isBeside(run));
        OptionalDouble good = last(runs, Evidence::isBeside);
        if (rerun.isEmpty()) {
            return sample;
        }
        return good.isEmpty()
                ? sample.rechecked(rerun.getAsDouble())
                : sample.paired(rerun.getAsDouble(), good.getAsDouble());
    }

    private OptionalDouble last(List<RunRecord> runs, Predicate<RunRecord> which) {
        return runs.stream()
                .filter(run -> which.test(run) && run.succeeded())
                .flatMap(run -> each(run, ofWhole(run)).stream())
                .mapToDouble(Double::doubleValue)
                .reduce((before, next) -> next);
    }

    /** Those that were to give a value: each try once, and none that confirms another. */
    static List<RunRecord> planned(List<RunRecord> runs) {
        return Tries.counted(runs).stream()
                .filter(run -> !Evidence.confirms(run))
                .toList();
    }

    /** Each value of one build with the name of its seed or member. */
    List<Replicates.One> replicates(List<RunRecord> runs) {
        List<Replicates.One> all = new ArrayList<>();
        List<RunRecord> finished =
                planned(runs).stream().filter(RunRecord::succeeded).toList();
        for (RunRecord run : finished) {
            OptionalDouble own = ofWhole(run);
            String seed = run.text("work/seed").map(text -> "seed " + text).orElseGet(run::id);
            own.ifPresent(value -> all.add(new Replicates.One(seed, value)));
            if (own.isEmpty()) {
                String of = finished.size() == 1 ? "" : " of " + run.id();
                run.ofMembers(criterion.metric())
                        .forEach((index, metric) -> read(run, metric)
                                .ifPresent(value -> all.add(new Replicates.One("member " + index + of, value))));
            }
        }
        return all;
    }

    /** The values of one run: its own, or those of its members where it is an array. */
    private List<Double> each(RunRecord run, OptionalDouble own) {
        if (own.isPresent()) {
            return List.of(own.getAsDouble());
        }
        return run.ofMembers(criterion.metric()).values().stream()
                .map(metric -> read(run, metric))
                .filter(OptionalDouble::isPresent)
                .map(OptionalDouble::getAsDouble)
                .toList();
    }
}
