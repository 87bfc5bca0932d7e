package io.jenkins.plugins.tao.gate;

import io.jenkins.plugins.tao.gate.criteria.Criterion;
import io.jenkins.plugins.tao.gate.criteria.Words;
import io.jenkins.plugins.tao.gate.statistics.BaselineStatistics;
import io.jenkins.plugins.tao.gate.statistics.Direction;
import io.jenkins.plugins.tao.gate.statistics.EvaluatedSample;
import io.jenkins.plugins.tao.gate.statistics.GateResult;
import io.jenkins.plugins.tao.gate.statistics.Level;
import io.jenkins.plugins.tao.gate.statistics.MetricRule;
import io.jenkins.plugins.tao.gate.statistics.Numbers;
import io.jenkins.plugins.tao.gate.statistics.Regression;
import io.jenkins.plugins.tao.gate.statistics.Sample;
import io.jenkins.plugins.tao.job.text.Sentences;
import java.util.List;
import java.util.Optional;

/**
 * Sentences for the newest answer of a series: its value, what is usual, since when it is bad, and what to do. Numbers have three
 * digits, and more only where two that differ would look the same.
 */
final class SeriesText {
    private static final double HUNDRED = 100;

    private final Criterion criterion;
    private final MetricRule rule;
    private final List<EvaluatedSample> answers;
    private final EvaluatedSample now;
    private final double value;

    /** The newest of {@code answers} is the one to write about; it has a value. */
    SeriesText(Criterion criterion, MetricRule rule, List<EvaluatedSample> answers) {
        this.criterion = criterion;
        this.rule = rule;
        this.answers = answers;
        now = answers.get(answers.size() - 1);
        value = now.value().orElse(Double.NaN);
    }

    /** {@code since about #12 (last good #11)}. */
    static String since(Regression.Began began) {
        return (began.sure() ? "since " : "since about ")
                + began.since()
                + (began.lastGood().isEmpty() ? "" : " (last good " + began.lastGood() + ")");
    }

    String sentence() {
        Optional<BaselineStatistics> baseline = now.baseline();
        Optional<Regression> regression = now.state().regression();
        if (now.result() == GateResult.SLOW_REGRESSION && regression.isPresent()) {
            return slow(regression.get());
        }
        if (baseline.isEmpty()) {
            return unknown();
        }
        return switch (now.result()) {
            case PASS, BETTER -> good(baseline.get());
            case SUSPECT ->
                "Suspect, build not failed: " + named() + " is " + below(value, baseline.get())
                        + ". Red if the next run is " + side() + " "
                        + shown(baseline.get().limit()) + " too.";
            case NOT_CONFIRMED -> contradicted(baseline.get());
            case REGRESSION ->
                regression.map(known -> bad(known, baseline.get())).orElseGet(this::named);
            default -> named() + ".";
        };
    }

    private String good(BaselineStatistics baseline) {
        Optional<Regression> over = previous()
                .flatMap(before -> before.state().regression())
                .filter(regression -> regression.reference().equals(baseline));
        if (over.isPresent()) {
            return "Recovered: " + named() + ", usual " + usual(baseline) + ". The regression since "
                    + over.get().began().since() + " was red in "
                    + Sentences.count(over.get().red(), "run") + ".";
        }
        Level level = now.state().level();
        boolean risen = level.origin() == Level.Origin.STEP_UP
                && previous()
                        .filter(before -> !before.state().level().since().equals(level.since()))
                        .isPresent();
        if (risen) {
            return "New level since " + level.since() + ": " + named() + ", before it "
                    + before(level.runs().size()) + ". A run back there will be red.";
        }
        if (now.result() == GateResult.BETTER) {
            return "Better than usual: " + named() + ", usual " + usual(baseline)
                    + ". Check data and validation; bless it if it is right.";
        }
        return named() + ", usual " + usual(baseline) + ". Four of five "
                + (rule.direction() == Direction.HIGHER ? "drops" : "rises") + " of "
                + Words.rounded(length(baseline, baseline.reach()), 2) + unit()
                + " or more are noticed in the same run.";
    }

    private Optional<EvaluatedSample> previous() {
        return answers.size() < 2 ? Optional.empty() : Optional.of(answers.get(answers.size() - 2));
    }

    /** The mean of the good runs of the level before the newest {@code count} good runs. */
    private String before(int count) {
        List<EvaluatedSample> good = answers.stream()
                .filter(answer -> !answer.result().bad() && answer.value().isPresent())
                .toList();
        int end = Math.max(1, good.size() - count);
        String level = good.get(end - 1).state().level().since();
        double[] values = good.subList(Math.max(0, end - BaselineStatistics.WINDOW), end).stream()
                .filter(answer -> answer.state().level().since().equals(level))
                .mapToDouble(answer -> answer.value().getAsDouble())
                .toArray();
        return Words.apart(Numbers.mean(values), value) + unit();
    }

    private String contradicted(BaselineStatistics baseline) {
        boolean alone = worse(value, rule.unscaled(baseline.limit()));
        String what = alone
                ? named() + " was " + side() + " " + shown(baseline.limit())
                : named() + " is the last of several small "
                        + (rule.direction() == Direction.HIGHER ? "drops" : "rises");
        Optional<Sample.Recheck> recheck = now.sample().recheck();
        if (recheck.filter(values -> values.lastGood().isPresent()).isPresent()) {
            return "Pass: " + what + ", but the last good version (" + now.lastGood() + ") beside it gave "
                    + number(recheck.get().lastGood().getAsDouble()) + ": the environment changed, not the code.";
        }
        return "Pass: " + what + ", but the rerun gave "
                + recheck.map(values -> number(values.rerun())).orElse("") + ".";
    }

    private String bad(Regression regression, BaselineStatistics baseline) {
        String since = since(regression.began());
        if (regression.red() > 1) {
            return regression.passed().isEmpty()
                    ? lasting(regression, since)
                    : "Still red " + since + ": " + named() + " is nearer to the usual " + shown(baseline.mean())
                            + " than to the bad " + shown(regression.badMean()) + ". One more such run ends it.";
        }
        String what = "Regression " + since + ": " + named();
        Optional<Sample.Recheck> recheck = now.sample().recheck().filter(Sample.Recheck::usable);
        if (recheck.isPresent()) {
            return what + ", usual " + usual(baseline) + "; the rerun gave "
                    + number(recheck.get().rerun())
                    + (recheck.get().lastGood().isPresent()
                            ? ", the last good version beside it "
                                    + number(recheck.get().lastGood().getAsDouble())
                            : " too")
                    + "." + advice();
        }
        return regression.bad() > 1
                ? what + ", usual " + usual(baseline) + ", " + Sentences.ordinal(regression.bad())
                        + " bad run in a row." + advice()
                : what + " is " + below(value, baseline) + "." + advice();
    }

    private String lasting(Regression regression, String since) {
        return "Regression " + since + ": " + named() + ", usual " + usual(regression.reference()) + ", "
                + Sentences.ordinal(regression.bad()) + " bad run. Green at "
                + apart(regression.recovery(), regression.middle())
                + " or better, or after two runs better than " + apart(regression.middle(), regression.recovery()) + "."
                + advice();
    }

    private String slow(Regression regression) {
        BaselineStatistics reference = regression.reference();
        double mean = rule.unscaled(regression.badMean());
        return "Slow regression " + since(regression.began()) + ": the last "
                + Sentences.count(regression.bad(), "run") + " of "
                + criterion.reading().words() + criterion.metric()
                + " average " + apart(regression.badMean(), reference.mean()) + ", " + below(mean, reference) + "."
                + advice();
    }

    private String advice() {
        return " Fix it, or bless " + now.sample().label() + " if this level is right.";
    }

    private String unknown() {
        Level level = now.state().level();
        int runs = level.runs().size() - 1;
        int needed = rule.noise().isPresent() || level.kept().isPresent() ? 1 : BaselineStatistics.LEAST;
        if (runs < needed) {
            return level.origin() == Level.Origin.NAMED_CHANGE
                    ? "New level: " + level.why() + ". First verdict in " + Sentences.count(needed - runs, "run") + ". "
                            + (answers.size() > runs + 1
                                    ? "Before it " + before(runs + 1) + " was usual; now "
                                    : "Now ")
                            + named() + "."
                    : "No verdict: " + named() + " is the " + Sentences.ordinal(runs + 1)
                            + " comparable run; the first verdict comes with the " + Sentences.ordinal(needed + 1)
                            + ".";
        }
        double[] known = answers.stream()
                .flatMapToDouble(answer -> answer.value().stream())
                .toArray();
        return equal(known[known.length - 2], Math.min(runs, BaselineStatistics.WINDOW));
    }

    private String equal(double usual, int runs) {
        String same = value == usual ? "as in" : Words.apart(usual, value) + unit() + " in";
        String such = usual == 0 ? "" : ", such as minDrop: " + Words.rounded(Math.abs(usual) / HUNDRED, 1);
        return "No verdict: " + named() + ", exactly " + same + " each of " + Sentences.count(runs, "run")
                + " before. Say which drop matters" + such + ".";
    }

    /** Metric and value. */
    private String named() {
        int count = now.sample().finite().length;
        return criterion.name() + number(value) + (count > 1 ? " (mean of " + count + ")" : "");
    }

    private String number(double number) {
        double compared = now.baseline()
                .map(baseline -> rule.unscaled(now.result() == GateResult.PASS ? baseline.mean() : baseline.limit()))
                .orElse(number);
        return (now.result() == GateResult.PASS ? Words.brief(number) : Words.apart(number, compared)) + unit();
    }

    private String shown(double scaled) {
        double number = rule.unscaled(scaled);
        return (now.result() == GateResult.PASS ? Words.brief(number) : Words.apart(number, value)) + unit();
    }

    /** One of two numbers of the scale of comparison, with enough digits to look different. */
    private String apart(double scaled, double other) {
        return Words.apart(rule.unscaled(scaled), rule.unscaled(other)) + unit();
    }

    private String usual(BaselineStatistics baseline) {
        return shown(baseline.mean()) + " ± " + Words.rounded(length(baseline, baseline.scale()), 2) + unit() + " ("
                + Sentences.count(baseline.runs(), "run") + ")";
    }

    /** A length below the mean of the scale of comparison in the metric's unit. */
    private double length(BaselineStatistics baseline, double scaled) {
        return Math.abs(rule.unscaled(baseline.mean()) - rule.unscaled(baseline.mean() - scaled));
    }

    /** {@code 2 % below the usual 0.412}. */
    private String below(double number, BaselineStatistics baseline) {
        double mean = rule.unscaled(baseline.mean());
        double off = Math.abs(number - mean);
        boolean part = mean != 0 && off <= 10 * Math.abs(mean);
        return (part ? Words.rounded(HUNDRED * off / Math.abs(mean), 2) + " % " : Words.rounded(off, 2) + unit() + " ")
                + side() + " the usual " + shown(baseline.mean());
    }

    private String side() {
        return rule.direction().badSide();
    }

    private boolean worse(double one, double other) {
        return rule.direction().oriented(one) < rule.direction().oriented(other);
    }

    private String unit() {
        return criterion.unit();
    }
}
