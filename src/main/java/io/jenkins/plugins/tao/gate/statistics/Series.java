package io.jenkins.plugins.tao.gate.statistics;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Series of one metric of one training: a chain of levels. Its answers are a fold over the history of runs, blessings and named
 * changes in the order in which they happened, so that a run has the same answer whenever it is asked for.
 */
public final class Series {
    private final SeriesRule rule;
    private final MetricRule metric;
    private final List<Sample> samples = new ArrayList<>();
    private SeriesState state = SeriesState.begin(Level.begin(Level.Origin.FIRST_RUN, "", Optional.empty()));

    /** A series without runs. */
    public Series(MetricRule metric) {
        this.metric = metric;
        rule = new SeriesRule(metric);
    }

    /** The answers of all runs among {@code events}. */
    public static List<EvaluatedSample> evaluate(MetricRule metric, List<? extends SeriesEvent> events) {
        Series series = new Series(metric);
        return events.stream().flatMap(event -> series.add(event).stream()).toList();
    }

    /** The answer for a run; empty for a blessing and a named change. */
    public Optional<EvaluatedSample> add(SeriesEvent event) {
        if (event instanceof Sample sample) {
            return Optional.of(take(preview(sample)));
        }
        if (event instanceof Blessing blessing) {
            bless(blessing);
        } else if (event instanceof NamedChange change) {
            state = fresh(Level.Origin.NAMED_CHANGE, change.what());
        }
        return Optional.empty();
    }

    /** What the answer for {@code sample} would be now; the series stays as it is. */
    public EvaluatedSample preview(Sample sample) {
        return rule.next(state, sample);
    }

    /** Makes a preview of the present state the next answer. */
    EvaluatedSample take(EvaluatedSample answer) {
        samples.add(answer.sample());
        state = answer.state();
        return answer;
    }

    /** The present state. */
    public SeriesState state() {
        return state;
    }

    private SeriesState fresh(Level.Origin origin, String why) {
        return SeriesState.begin(Level.begin(origin, why, state.level().spread(metric)));
    }

    /** The runs since the blessed one are judged by the new level, in silence: those that are worse than it stay red. */
    private void bless(Blessing blessing) {
        if (!blessing.run().valid()) {
            return;
        }
        SeriesState next = fresh(Level.Origin.BLESSING, blessing.why()).accept(metric.run(blessing.run()));
        int at = samples.lastIndexOf(blessing.run());
        for (Sample sample : at < 0 ? List.<Sample>of() : samples.subList(at + 1, samples.size())) {
            next = rule.next(next, sample).state();
        }
        state = next;
    }
}
