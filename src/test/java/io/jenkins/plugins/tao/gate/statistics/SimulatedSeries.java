package io.jenkins.plugins.tao.gate.statistics;

import java.util.HashMap;
import java.util.Map;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;

/** One simulated series under the rule of the product, with or without rechecks of suspect runs. */
final class SimulatedSeries {
    /** Who decides about a suspect run. */
    enum Confirm {
        NEXT_RUN,
        RERUN,
        PAIR
    }

    private static final long SEED = 20261126;

    private final RandomGenerator random;
    private final RandomGenerator again;
    private final SimulatedNoise noise;
    private final Confirm confirm;
    private final Series series;
    private double last;
    private int runs;
    private int rechecks;
    /** The drop of the version of each run. */
    private final Map<String, Double> drops = new HashMap<>();

    SimulatedSeries(SimulatedNoise noise, MetricRange range, Confirm confirm, int number) {
        random = RandomGeneratorFactory.of("L64X128MixRandom").create(SEED + 1_000_003L * number);
        again = RandomGeneratorFactory.of("L64X128MixRandom").create(~SEED - 1_000_033L * number);
        this.noise = noise;
        this.confirm = confirm;
        series = new Series(new MetricRule(Direction.HIGHER, range, java.util.OptionalDouble.empty(), 0));
        runs = number % 7;
    }

    /** A series with so many runs that are as usual. */
    static SimulatedSeries known(SimulatedNoise noise, Confirm confirm, int number, int runs) {
        SimulatedSeries begun = new SimulatedSeries(noise, noise.range(), confirm, number);
        for (int i = 0; i < runs; i++) {
            begun.next(0, 0);
        }
        return begun;
    }

    /** The next run: {@code drop} by the code, {@code shift} by the environment, both downwards. */
    EvaluatedSample next(double drop, double shift) {
        runs++;
        double before = last;
        double own = noise.value(random, before, runs);
        last = own;
        Sample sample = Sample.of("#" + runs, own - drop - shift);
        drops.put(sample.label(), drop);
        EvaluatedSample alone = series.preview(sample);
        if (confirm == Confirm.NEXT_RUN || !alone.wantsRecheck()) {
            return series.take(alone);
        }
        rechecks++;
        double rerun = noise.value(again, before, runs) - drop - shift;
        double good = noise.value(again, before, runs) - drops.getOrDefault(alone.lastGood(), 0.0) - shift;
        Sample both = confirm == Confirm.RERUN ? sample.rechecked(rerun) : sample.paired(rerun, good);
        return series.take(series.preview(both));
    }

    void bless(EvaluatedSample run) {
        series.add(new Blessing(run.sample(), "accepted"));
    }

    int rechecks() {
        return rechecks;
    }

    SeriesState state() {
        return series.state();
    }
}
