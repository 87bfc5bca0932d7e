package io.jenkins.plugins.tao.jenkins.trend;

import io.jenkins.plugins.tao.gate.Finding;
import io.jenkins.plugins.tao.gate.PastVerdict;
import io.jenkins.plugins.tao.gate.criteria.Words;
import io.jenkins.plugins.tao.gate.statistics.GateResult;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * One build in a chart.
 *
 * @param build its place among the builds that are shown
 * @param value its value; empty where it has none
 * @param level what was usual before it; empty where too little was known
 * @param limit what its value must not be worse than: that of its gate, else that of the usual rule
 * @param call the worst answer of its gates; empty where none asked
 * @param sentence the evidence; empty where no gate asked
 */
record TrendPoint(
        int build,
        OptionalDouble value,
        OptionalDouble level,
        OptionalDouble limit,
        Optional<GateResult> call,
        String sentence) {

    /**
     * A point of what is known of one build.
     *
     * @param own its value as its records have it
     * @param mark what the usual rule says
     * @param verdicts what its gates answered
     * @param gated whether the usual rule answers for a build that no gate judged
     */
    static TrendPoint of(
            int build, OptionalDouble own, Optional<Finding.Mark> mark, List<PastVerdict> verdicts, boolean gated) {
        Optional<PastVerdict> worst = worst(verdicts);
        Optional<Finding.Usual> usual = mark.flatMap(Finding.Mark::usual);
        Optional<GateResult> call = worst.map(PastVerdict::call)
                .or(() -> mark.filter(known -> gated).map(Finding.Mark::call));
        String unjudged = call.map(answer -> "No gate judged this build; by the usual rule: " + answer.words() + ".")
                .orElse("");
        return new TrendPoint(
                build,
                first(mark.map(Finding.Mark::value), own, worst.map(PastVerdict::value)),
                first(usual.map(Finding.Usual::mean), OptionalDouble.empty(), Optional.empty()),
                first(Optional.empty(), limit(verdicts), usual.map(level -> OptionalDouble.of(level.limit()))),
                call,
                worst.map(PastVerdict::sentence).orElse(unjudged));
    }

    private static OptionalDouble first(Optional<Double> one, OptionalDouble other, Optional<OptionalDouble> last) {
        if (one.isPresent()) {
            return OptionalDouble.of(one.get());
        }
        return other.isPresent() ? other : last.orElse(OptionalDouble.empty());
    }

    /** That of the usual rule, as a gate applied it. */
    private static OptionalDouble limit(List<PastVerdict> verdicts) {
        return verdicts.stream()
                .filter(verdict -> GateTitle.parse(verdict.gate())
                        .filter(GateTitle::isUsual)
                        .isPresent())
                .flatMapToDouble(verdict -> verdict.limit().stream())
                .findFirst();
    }

    /** The answer that matters most. */
    static Optional<PastVerdict> worst(List<PastVerdict> verdicts) {
        return verdicts.stream()
                .max(Comparator.comparing(
                                (PastVerdict verdict) -> verdict.call().bad())
                        .thenComparing(verdict -> verdict.call() == GateResult.SUSPECT)
                        .thenComparing(verdict -> verdict.call() == GateResult.NO_VERDICT));
    }

    /** {@code failed}, {@code lost} or {@code succeeded}, as pages colour it. */
    static String kind(GateResult call) {
        return call.bad() ? "failed" : call.good() ? "succeeded" : "lost";
    }

    /** A number of a CSV or a table; empty where there is none. */
    static String text(OptionalDouble number, int digits) {
        return number.isEmpty() ? "" : Words.rounded(number.getAsDouble(), digits);
    }
}
