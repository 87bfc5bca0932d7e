package io.jenkins.plugins.tao.gate;

import io.jenkins.plugins.tao.gate.criteria.Blessed;
import io.jenkins.plugins.tao.gate.criteria.Bound;
import io.jenkins.plugins.tao.gate.criteria.Comparability;
import io.jenkins.plugins.tao.gate.criteria.Criterion;
import io.jenkins.plugins.tao.gate.criteria.Evidence;
import io.jenkins.plugins.tao.gate.criteria.Reading;
import io.jenkins.plugins.tao.gate.statistics.Direction;
import io.jenkins.plugins.tao.gate.statistics.GateResult;
import io.jenkins.plugins.tao.gate.statistics.MetricRule;
import io.jenkins.plugins.tao.gate.statistics.Sample;
import io.jenkins.plugins.tao.record.RunRecord;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/** Judges a night: each criterion gets one finding. What cannot be judged gets "no verdict" and is never a pass. */
public final class Gate {
    private final Evidence evidence;

    private Gate(Evidence evidence) {
        this.evidence = evidence;
    }

    /** The findings, in the order of the criteria. */
    public static GateReport judge(List<Criterion> criteria, Evidence evidence) {
        return new GateReport(
                evidence.label(),
                criteria.stream().map(criterion -> judge(criterion, evidence)).toList());
    }

    /** A metric is judged for the training that has it, where tonight has several. */
    private static Finding judge(Criterion criterion, Evidence evidence) {
        List<String> having =
                evidence.trainings(run -> new Values(criterion, run).of(run).isPresent());
        if (having.size() > 1) {
            return Finding.noVerdict(
                    criterion,
                    String.join(" and ", having) + " of " + evidence.label()
                            + " each have it. Name the job that is meant.");
        }
        return new Gate(having.isEmpty() ? evidence : evidence.only(having.get(0))).judge(criterion);
    }

    private Finding judge(Criterion criterion) {
        Values values = new Values(criterion, evidence.anchor());
        Optional<Direction> direction = direction(criterion, values);
        if (direction.isEmpty()) {
            return Finding.noVerdict(
                    criterion,
                    "whether '" + criterion.metric()
                            + "' is better high or low is not known. Say direction: higher or direction: lower.");
        }
        List<Sample> own = values.nights(evidence.tonight());
        Sample tonight = own.get(own.size() - 1);
        if (tonight.valid()) {
            return tonight.notANumber() && tonight.finite().length * 2 < tonight.planned()
                    ? notANumber(criterion, tonight)
                    : compare(criterion, values, direction.get(), tonight);
        }
        return tonight.notANumber() ? notANumber(criterion, tonight) : withoutValue(criterion, values, tonight);
    }

    /** A bound says by itself which side is bad. */
    private static Optional<Direction> direction(Criterion criterion, Values values) {
        if (criterion.bound() instanceof Bound.AtLeast) {
            return Optional.of(Direction.HIGHER);
        }
        return criterion.bound() instanceof Bound.AtMost ? Optional.of(Direction.LOWER) : values.direction();
    }

    private static Finding notANumber(Criterion criterion, Sample night) {
        return Finding.of(
                criterion,
                GateResult.FAILED,
                OptionalDouble.empty(),
                OptionalDouble.empty(),
                "Failed: " + criterion.metric() + " of " + night.label() + " is not a number ("
                        + night.values().get(0) + ").");
    }

    private Finding withoutValue(Criterion criterion, Values values, Sample night) {
        List<RunRecord> runs = evidence.tonight().stream()
                .filter(run -> !Evidence.confirms(run))
                .toList();
        List<RunRecord> finished = runs.stream().filter(RunRecord::succeeded).toList();
        if (finished.size() < runs.size()) {
            return Finding.noVerdict(
                    criterion, finished.size() + " of " + runs.size() + " runs of " + night.label() + " succeeded.");
        }
        if (criterion.reading() instanceof Reading.EpochsTo
                && finished.stream()
                        .allMatch(run -> run.metric(criterion.metric()).isPresent())) {
            return Finding.of(
                    criterion,
                    GateResult.REGRESSION,
                    OptionalDouble.empty(),
                    OptionalDouble.empty(),
                    values.missing(finished.get(0)).orElse(""));
        }
        return Finding.noVerdict(
                criterion,
                finished.stream()
                        .flatMap(run -> values.missing(run).stream())
                        .findFirst()
                        .orElse("there is no value."));
    }

    private Finding compare(Criterion criterion, Values values, Direction direction, Sample tonight) {
        Bound bound = criterion.bound();
        if (bound instanceof Bound.AtLeast least) {
            return AgainstValue.bound(criterion, direction, tonight, least.value());
        }
        if (bound instanceof Bound.AtMost most) {
            return AgainstValue.bound(criterion, direction, tonight, most.value());
        }
        if (bound instanceof Bound.Pinned pinned) {
            return pinned(criterion, values, direction, tonight, pinned);
        }
        String damaged = evidence.unreadable().get(Blessed.LEVEL);
        if (damaged != null) {
            return Finding.noVerdict(
                    criterion, "the newest blessed level cannot be read: " + damaged + ". Bless it again.");
        }
        SeriesEvents before =
                new SeriesEvents(evidence, values, bound instanceof Bound.LastGood last ? last.branch() : "");
        if (bound instanceof Bound.LastGood last) {
            return AgainstValue.lastGood(criterion, direction, before, tonight, last.tolerance());
        }
        if (bound instanceof Bound.Median median) {
            return AgainstValue.median(criterion, direction, before, tonight, median);
        }
        MetricRule rule = new MetricRule(direction, values.range(), criterion.noise(), criterion.minDrop());
        return AgainstUsual.judge(criterion, rule, before, tonight);
    }

    private Finding pinned(
            Criterion criterion, Values values, Direction direction, Sample tonight, Bound.Pinned pinned) {
        Blessed blessed = evidence.baselines().get(pinned.name());
        if (blessed == null) {
            String why = evidence.unreadable().get(pinned.name());
            return Finding.noVerdict(
                    criterion,
                    why == null
                            ? "there is no baseline '" + pinned.name() + "'. Bless a run to make it one."
                            : "baseline '" + pinned.name() + "' cannot be read: " + why + ".");
        }
        RunRecord then = blessed.record();
        List<String> differences = Comparability.differences(evidence.anchor(), then);
        if (!differences.isEmpty()) {
            return Finding.noVerdict(
                    criterion,
                    "baseline '" + pinned.name() + "' (" + then.label() + ") is not comparable: "
                            + String.join("; ", differences) + ".");
        }
        Optional<String> missing = values.missing(then);
        OptionalDouble value = values.of(then);
        if (missing.isPresent() || value.isEmpty() || !Double.isFinite(value.getAsDouble())) {
            return Finding.noVerdict(
                    criterion,
                    "baseline '" + pinned.name() + "': "
                            + missing.orElse(criterion.metric() + " of it is not a number."));
        }
        String what = "baseline '" + pinned.name() + "' (" + then.label() + ", blessed by " + blessed.by() + ")";
        return AgainstValue.against(
                criterion,
                direction,
                tonight,
                new AgainstValue.Reference(what, value.getAsDouble(), 0),
                pinned.tolerance());
    }
}
