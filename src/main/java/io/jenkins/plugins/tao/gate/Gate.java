package io.jenkins.plugins.tao.gate;

import io.jenkins.plugins.tao.gate.criteria.Blessed;
import io.jenkins.plugins.tao.gate.criteria.Bound;
import io.jenkins.plugins.tao.gate.criteria.Criterion;
import io.jenkins.plugins.tao.gate.criteria.Effect;
import io.jenkins.plugins.tao.gate.criteria.Evidence;
import io.jenkins.plugins.tao.gate.criteria.Matching;
import io.jenkins.plugins.tao.gate.criteria.Reading;
import io.jenkins.plugins.tao.gate.criteria.SameBuild;
import io.jenkins.plugins.tao.gate.criteria.Training;
import io.jenkins.plugins.tao.gate.criteria.Tries;
import io.jenkins.plugins.tao.gate.criteria.Words;
import io.jenkins.plugins.tao.gate.statistics.Direction;
import io.jenkins.plugins.tao.gate.statistics.GateResult;
import io.jenkins.plugins.tao.gate.statistics.Measure;
import io.jenkins.plugins.tao.gate.statistics.MetricRule;
import io.jenkins.plugins.tao.gate.statistics.Numbers;
import io.jenkins.plugins.tao.gate.statistics.Sample;
import io.jenkins.plugins.tao.job.Outcome;
import io.jenkins.plugins.tao.job.text.Sentences;
import io.jenkins.plugins.tao.record.RunRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.Predicate;

/** Judges a build: each criterion gets one finding. What cannot be judged gets "no verdict" and is never a pass. */
public final class Gate {
    /** As many spare seeds in earlier builds tell what is usual between seeds. */
    private static final int LEAST_SPARE = 6;

    private final Evidence evidence;

    private final Map<List<Object>, SeriesEvents> histories = new ConcurrentHashMap<>();

    private Gate(Evidence evidence) {
        this.evidence = evidence;
    }

    /** The findings, in the order of the criteria; of one criterion one for each training that it is asked of. */
    public static GateReport judge(List<Criterion> criteria, Evidence evidence) {
        Map<Matching, List<Training>> trainings = new ConcurrentHashMap<>();
        Map<List<RunRecord>, Gate> gates = new ConcurrentHashMap<>();
        List<Finding> findings = criteria.parallelStream()
                .flatMap(criterion -> judge(
                        criterion,
                        trainings.computeIfAbsent(
                                criterion.matching(), matching -> Training.of(evidence.tonight(), matching)),
                        runs -> gates.computeIfAbsent(runs, own -> new Gate(evidence.only(own))),
                        evidence.tonight())
                        .stream())
                .toList();
        return new GateReport(evidence.label(), findings);
    }

    /** A metric is judged for each training of the build that has it, had it before, or failed without a success before. */
    private static List<Finding> judge(
            Criterion criterion, List<Training> all, Function<List<RunRecord>, Gate> gates, List<RunRecord> tonight) {
        List<Training> asked = all.size() == 1
                ? List.of()
                : all.stream()
                        .filter(training -> isAsked(criterion, gates.apply(training.runs()).evidence))
                        .toList();
        if (asked.isEmpty()) {
            return List.of(gates.apply(tonight).judge(criterion));
        }
        List<Finding> findings = new ArrayList<>();
        for (Training training : asked) {
            List<String> ids = training.runs().stream().map(RunRecord::id).toList();
            findings.add(gates.apply(training.runs())
                    .judge(criterion)
                    .withSubject(new Finding.Subject(training.name(), ids)));
        }
        return findings;
    }

    /** The runs before, found once for all criteria that ask for the same. */
    private SeriesEvents before(Criterion criterion, String branch) {
        return histories.computeIfAbsent(
                List.of(criterion.matching(), branch),
                known -> new SeriesEvents(evidence, criterion.matching(), branch));
    }

    private static boolean isAsked(Criterion criterion, Evidence training) {
        RunRecord anchor = training.anchor();
        Values values = new Values(criterion, anchor);
        Predicate<RunRecord> hasValue = run -> values.of(run).isPresent();
        Predicate<RunRecord> sameWork =
                run -> criterion.matching().ofWork().differences(anchor, run).isEmpty();
        return training.tonight().stream().anyMatch(hasValue)
                || training.history().stream().anyMatch(hasValue.and(sameWork))
                || (!anchor.succeeded()
                        && training.history().stream()
                                .filter(RunRecord::succeeded)
                                .noneMatch(sameWork));
    }

    private Finding judge(Criterion criterion) {
        Values values = new Values(criterion, evidence.anchor());
        Sample tonight = values.sample(SameBuild.newest(evidence.tonight()));
        Finding finding = answer(criterion, values, tonight);
        Optional<String> tries = Tries.words(evidence.tonight());
        if (tries.isEmpty()) {
            return finding;
        }
        double[] finite = tonight.finite();
        return finding.noted(tries.get()
                + (finite.length == 0 ? " gave no value." : " gave " + Words.brief(Numbers.mean(finite)) + "."));
    }

    private Finding answer(Criterion criterion, Values values, Sample tonight) {
        if (!tonight.valid()) {
            return tonight.notANumber() ? notANumber(criterion, tonight) : withoutValue(criterion, values, tonight);
        }
        Optional<Direction> direction = direction(criterion, values);
        if (direction.isEmpty()) {
            return Finding.noVerdict(
                    criterion,
                    "whether '" + criterion.metric()
                            + "' is better high or low is not known. Say direction: higher or direction: lower.");
        }
        if (tonight.notANumber() && tonight.finite().length * 2 < tonight.planned()) {
            return notANumber(criterion, tonight);
        }
        Finding finding = compare(criterion, values, direction.get(), tonight);
        List<Replicates.One> each = values.replicates(evidence.tonight());
        return each.size() < 2
                ? finding
                : new Replicates(each, direction.get())
                        .odd(spread(criterion, values))
                        .map(odd -> finding.saying(
                                finding.call().bad() ? finding.call() : odd.call(),
                                odd.words() + " " + finding.sentence()))
                        .orElse(finding);
    }

    /** The standard deviation of runs of one build, as it is given or as earlier builds had it; 0 when neither tells. */
    private double spread(Criterion criterion, Values values) {
        if (criterion.noise().isPresent()) {
            return criterion.noise().getAsDouble();
        }
        double squares = 0;
        int spare = 0;
        for (Sample night : before(criterion, "").sinceLevel(values)) {
            double[] seeds = night.finite();
            if (seeds.length > 1) {
                double deviation = Numbers.deviation(seeds);
                squares += deviation * deviation * (seeds.length - 1);
                spare += seeds.length - 1;
            }
        }
        return spare < LEAST_SPARE ? 0 : Math.sqrt(squares / spare);
    }

    /** A bound says which side is bad, and of a band both are. */
    private static Optional<Direction> direction(Criterion criterion, Values values) {
        if (criterion.bound() instanceof Bound.AtLeast) {
            return Optional.of(Direction.HIGHER);
        }
        return criterion.bound() instanceof Bound.AtMost
                ? Optional.of(Direction.LOWER)
                : values.direction()
                        .or(() -> criterion.bound().band() ? Optional.of(Direction.HIGHER) : Optional.empty());
    }

    private static Finding notANumber(Criterion criterion, Sample run) {
        return Finding.without(
                criterion,
                GateResult.FAILED,
                "Failed: " + criterion.metric() + " of " + run.label() + " is not a number ("
                        + run.values().get(0) + ").");
    }

    private Finding withoutValue(Criterion criterion, Values values, Sample night) {
        List<RunRecord> runs = Values.planned(evidence.tonight());
        List<RunRecord> finished = runs.stream().filter(RunRecord::succeeded).toList();
        Optional<String> early = runs.stream()
                .filter(run -> run.text("outcome/cause").equals(Optional.of(Outcome.Cause.ENDED_EARLY.name())))
                .flatMap(run -> run.text("outcome/detail").stream())
                .findFirst();
        if (early.isPresent()) {
            String why = "Failed: " + night.label() + " was " + early.get();
            return Finding.without(criterion, GateResult.FAILED, Sentences.join(why));
        }
        if (finished.size() < runs.size()) {
            return lacking(
                    criterion, finished.size() + " of " + runs.size() + " runs of " + night.label() + " succeeded.");
        }
        if (criterion.reading() instanceof Reading.EpochsTo
                && finished.stream()
                        .allMatch(run -> run.metric(criterion.metric()).isPresent() && !values.lacksFront(run))) {
            return Finding.without(
                    criterion,
                    GateResult.REGRESSION,
                    values.missing(finished.get(0)).orElse(""));
        }
        Finding finding = lacking(
                criterion,
                finished.stream()
                        .flatMap(run -> values.missing(run).stream())
                        .findFirst()
                        .orElse("there is no value."));
        return Measure.named(criterion.metric()).isPresent() ? finding : finding.withLeast(Effect.UNSTABLE);
    }

    /** Without a value a bound is not held; what compares with other runs has no verdict. */
    private static Finding lacking(Criterion criterion, String why) {
        boolean bound = criterion.bound() instanceof Bound.AtLeast || criterion.bound() instanceof Bound.AtMost;
        return bound
                ? Finding.without(criterion, GateResult.FAILED, "Failed: " + why)
                : Finding.noVerdict(criterion, why);
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
        SeriesEvents history = before(criterion, bound instanceof Bound.LastGood last ? last.branch() : "");
        if (bound instanceof Bound.LastGood last) {
            return AgainstValue.lastGood(criterion, direction, before(history, values), tonight, last.tolerance());
        }
        if (bound instanceof Bound.Median median) {
            return AgainstValue.median(criterion, direction, before(history, values), tonight, median);
        }
        MetricRule rule = new MetricRule(direction, values.range(), criterion.noise(), criterion.minDrop());
        return AgainstUsual.judge(criterion, rule, history, values, tonight);
    }

    private static AgainstValue.Before before(SeriesEvents history, Values values) {
        return new AgainstValue.Before(history.sinceLevel(values), history.note());
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
        List<String> differences = criterion.matching().differences(evidence.anchor(), then);
        if (!differences.isEmpty()) {
            return Finding.noVerdict(
                    criterion,
                    "baseline '" + pinned.name() + "' (" + then.label() + ") is not comparable: "
                            + String.join("; ", differences) + ".");
        }
        Optional<String> missing = values.missing(then);
        double[] finite = blessed(then, criterion, values).finite();
        if (missing.isPresent() || finite.length == 0) {
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
                new AgainstValue.Reference(what, Numbers.mean(finite), 0),
                pinned.tolerance());
    }

    /** All replicates of the blessed run, as far as the history still has them. */
    private Sample blessed(RunRecord run, Criterion criterion, Values values) {
        List<RunRecord> build = SameBuild.of(run, evidence.history()).stream()
                .filter(other -> criterion.matching().differences(run, other).isEmpty())
                .map(other -> other.id().equals(run.id()) ? run : other)
                .toList();
        return values.sample(build.isEmpty() ? List.of(run) : Training.nearest(run, build));
    }
}
