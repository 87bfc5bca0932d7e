package io.jenkins.plugins.tao.gate;

import io.jenkins.plugins.tao.gate.criteria.Criterion;
import io.jenkins.plugins.tao.gate.statistics.EvaluatedSample;
import io.jenkins.plugins.tao.gate.statistics.Level;
import io.jenkins.plugins.tao.gate.statistics.MetricRange;
import io.jenkins.plugins.tao.gate.statistics.MetricRule;
import io.jenkins.plugins.tao.gate.statistics.Regression;
import io.jenkins.plugins.tao.gate.statistics.Sample;
import io.jenkins.plugins.tao.gate.statistics.Series;
import io.jenkins.plugins.tao.gate.statistics.SeriesEvent;
import io.jenkins.plugins.tao.gate.statistics.SeriesState;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Stream;

/** Compares a run with the series before it. */
record AgainstUsual(Criterion criterion, MetricRule rule) {
    /** Compares {@code sample}, the newest run. */
    static Finding judge(Criterion criterion, MetricRule rule, SeriesEvents history, Values values, Sample sample) {
        List<SeriesEvent> events = history.until(values, sample);
        boolean known = events.stream()
                .flatMap(event -> event instanceof Sample run ? run.values().stream() : Stream.empty())
                .allMatch(value -> !Double.isFinite(value) || rule.range().contains(value));
        MetricRule fitting =
                known ? rule : new MetricRule(rule.direction(), MetricRange.OPEN, rule.noise(), rule.minDrop());
        return new AgainstUsual(criterion, fitting).judge(Series.evaluate(fitting, events), history.noteOfSeries());
    }

    private Finding judge(List<EvaluatedSample> answers, String note) {
        EvaluatedSample now = answers.get(answers.size() - 1);
        Optional<Finding.Usual> usual = usual(now);
        return new Finding(
                criterion,
                now.result(),
                now.value(),
                usual.isPresent() ? OptionalDouble.of(usual.get().limit()) : OptionalDouble.empty(),
                new SeriesText(criterion, rule, answers).sentence() + note,
                now.wantsRecheck(),
                new Finding.Standing(
                        Optional.of(phase(now)),
                        usual,
                        now.state().regression().map(Regression::began),
                        now.lastGood()),
                marks(answers));
    }

    private SeriesState.Phase phase(EvaluatedSample answer) {
        return answer.state().phase(rule);
    }

    private Optional<Finding.Usual> usual(EvaluatedSample answer) {
        return answer.baseline()
                .map(baseline -> new Finding.Usual(
                        rule.unscaled(baseline.mean()),
                        rule.unscaled(baseline.limit()),
                        rule.unscaled(baseline.upperLimit())));
    }

    private List<Finding.Mark> marks(List<EvaluatedSample> answers) {
        Map<Integer, Level.Origin> begins = levels(answers);
        List<Finding.Mark> marks = new ArrayList<>();
        for (int i = 0; i < answers.size(); i++) {
            EvaluatedSample answer = answers.get(i);
            if (answer.value().isPresent()) {
                marks.add(new Finding.Mark(
                        answer.sample().label(),
                        answer.value().getAsDouble(),
                        answer.result(),
                        usual(answer),
                        Optional.of(phase(answer)),
                        Optional.ofNullable(begins.get(i))));
            }
        }
        return marks;
    }

    /** The places of the first runs of levels. A step up is found some runs after it. */
    private static Map<Integer, Level.Origin> levels(List<EvaluatedSample> answers) {
        Map<Integer, Level.Origin> begins = new HashMap<>();
        String known = "";
        for (int i = 0; i < answers.size(); i++) {
            Level level = answers.get(i).state().level();
            if (!level.since().equals(known) && level.origin() != Level.Origin.FIRST_RUN) {
                int at = i;
                while (at > 0 && !answers.get(at).sample().label().equals(level.since())) {
                    at--;
                }
                begins.put(at, level.origin());
            }
            known = level.since();
        }
        return begins;
    }
}
