package io.jenkins.plugins.tao.gate;

import io.jenkins.plugins.tao.gate.criteria.Criterion;
import io.jenkins.plugins.tao.gate.criteria.Effect;
import io.jenkins.plugins.tao.gate.statistics.Call;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * The answer to one criterion.
 *
 * @param criterion the question
 * @param call the answer
 * @param value tonight's number
 * @param limit what it must not be worse than
 * @param sentence the evidence, one sentence or two
 * @param confirm whether a run with another seed on another node would settle it
 * @param since the first bad build and whether that is sure, after a regression by the usual rule
 * @param series the nights it was judged by, tonight the last: label and value
 */
public record Finding(
        Criterion criterion,
        Call call,
        OptionalDouble value,
        OptionalDouble limit,
        String sentence,
        boolean confirm,
        Optional<String> since,
        List<Mark> series) {

    /** One night of the series, for tables and pictures. */
    public record Mark(String label, double value, Call call) {}

    public Finding {
        series = List.copyOf(series);
    }

    static Finding of(Criterion criterion, Call call, OptionalDouble value, OptionalDouble limit, String sentence) {
        return new Finding(criterion, call, value, limit, sentence, false, Optional.empty(), List.of());
    }

    static Finding noVerdict(Criterion criterion, String why) {
        return of(criterion, Call.NO_VERDICT, OptionalDouble.empty(), OptionalDouble.empty(), "No verdict: " + why);
    }

    /** What it does to the build: its criterion's effect when it is bad. */
    public Effect effect() {
        return call.bad() ? criterion.effect() : Effect.NOTE;
    }
}
