package io.jenkins.plugins.tao.gate;

import io.jenkins.plugins.tao.gate.criteria.Criterion;
import io.jenkins.plugins.tao.gate.criteria.Effect;
import io.jenkins.plugins.tao.gate.statistics.GateResult;
import io.jenkins.plugins.tao.gate.statistics.Level;
import io.jenkins.plugins.tao.gate.statistics.Regression;
import io.jenkins.plugins.tao.gate.statistics.SeriesState;
import io.jenkins.plugins.tao.record.RunRecord;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Stream;
import lombok.AccessLevel;
import lombok.With;

/**
 * The answer to one criterion.
 *
 * @param criterion the question
 * @param call the answer
 * @param value the run's number
 * @param limit what it must not be worse than
 * @param sentence the evidence, one sentence or two
 * @param confirm whether a run with another seed on another node would settle it
 * @param standing where its series stands after it
 * @param series the runs it was judged by, the judged one the last
 * @param subject which training of the build
 * @param least what it does to the build at least, however the gate is written
 */
public record Finding(
        Criterion criterion,
        GateResult call,
        OptionalDouble value,
        OptionalDouble limit,
        String sentence,
        boolean confirm,
        Standing standing,
        List<Mark> series,
        @With(AccessLevel.PACKAGE) Subject subject,
        @With(AccessLevel.PACKAGE) Effect least) {

    /**
     * What was judged.
     *
     * @param training its name, where the build has several trainings; else empty
     * @param runs the ids of its runs; empty for all of the build
     */
    public record Subject(String training, List<String> runs) {
        /** The only training of the build. */
        public static final Subject WHOLE = new Subject("", List.of());

        public Subject {
            runs = List.copyOf(runs);
        }
    }

    /**
     * Where a series stands.
     *
     * @param phase what it is doing; empty where a run is compared with a single value
     * @param usual what the run was compared with; empty while too little is known
     * @param began the regression that lasts
     * @param lastGood the label of the newest run before the drop that was never suspect; empty when there is none
     */
    public record Standing(
            Optional<SeriesState.Phase> phase,
            Optional<Usual> usual,
            Optional<Regression.Began> began,
            String lastGood) {
        static final Standing UNKNOWN = new Standing(Optional.empty(), Optional.empty(), Optional.empty(), "");

        static Standing after(String lastGood) {
            return new Standing(Optional.empty(), Optional.empty(), Optional.empty(), lastGood);
        }
    }

    /**
     * The usual values that a run was compared with, in the metric's unit.
     *
     * @param mean their centre
     * @param limit a worse run is suspect
     * @param upperLimit a better run is better than usual
     */
    public record Usual(double mean, double limit, double upperLimit) {}

    /**
     * One run of the series, for tables and pictures.
     *
     * @param usual what it was compared with
     * @param phase what the series was doing after it
     * @param begins why a level begins with it; empty where none does, and for the first run
     */
    public record Mark(
            String label,
            double value,
            GateResult call,
            Optional<Usual> usual,
            Optional<SeriesState.Phase> phase,
            Optional<Level.Origin> begins) {
        /** A run that others are compared with by its value alone. */
        static Mark of(String label, double value) {
            return new Mark(label, value, GateResult.PASS, Optional.empty(), Optional.empty(), Optional.empty());
        }
    }

    public Finding {
        series = List.copyOf(series);
    }

    /** A finding about the only training of a build. */
    public Finding(
            Criterion criterion,
            GateResult call,
            OptionalDouble value,
            OptionalDouble limit,
            String sentence,
            boolean confirm,
            Standing standing,
            List<Mark> series) {
        this(criterion, call, value, limit, sentence, confirm, standing, series, Subject.WHOLE, Effect.NOTE);
    }

    /** The question, after the training that it is asked of where the build has several. */
    public String title() {
        return subject.training().isEmpty() ? criterion.title() : subject.training() + ": " + criterion.title();
    }

    /** Those of {@code build} that it is about. */
    public List<RunRecord> of(List<RunRecord> build) {
        return subject.runs().isEmpty()
                ? build
                : build.stream()
                        .filter(run -> subject.runs().contains(run.id()))
                        .toList();
    }

    /** The same with one more sentence. */
    Finding noted(String note) {
        return saying(call, sentence + " " + note);
    }

    /** The same with another answer. */
    Finding saying(GateResult other, String words) {
        return new Finding(criterion, other, value, limit, words, confirm, standing, series, subject, least);
    }

    static Finding of(
            Criterion criterion, GateResult call, OptionalDouble value, OptionalDouble limit, String sentence) {
        return new Finding(criterion, call, value, limit, sentence, false, Standing.UNKNOWN, List.of());
    }

    /** A finding about a run that has no number. */
    static Finding without(Criterion criterion, GateResult call, String sentence) {
        return of(criterion, call, OptionalDouble.empty(), OptionalDouble.empty(), sentence);
    }

    static Finding noVerdict(Criterion criterion, String why) {
        return without(criterion, GateResult.NO_VERDICT, "No verdict: " + why);
    }

    /** Since when it is bad, such as {@code since about #12 (last good #11)}; empty when no regression lasts. */
    public Optional<String> since() {
        return standing.began().map(SeriesText::since);
    }

    /** What it does to the build: its criterion's effect when it is bad, and at least that of what is lacking. */
    public Effect effect() {
        Effect own = call.bad() ? criterion.effect() : Effect.NOTE;
        Effect silent = call == GateResult.NO_VERDICT && criterion.needVerdict() ? Effect.UNSTABLE : Effect.NOTE;
        return Stream.of(own, silent, least).max(Comparator.naturalOrder()).orElse(own);
    }
}
