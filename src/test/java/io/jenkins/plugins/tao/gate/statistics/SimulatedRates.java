package io.jenkins.plugins.tao.gate.statistics;

import io.jenkins.plugins.tao.gate.statistics.SimulatedSeries.Confirm;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/** Rates of the rule over many simulated series. Each series has a seed of its own: the rates depend on no order. */
final class SimulatedRates {
    static final int KNOWN = 20;
    static final int RUNS = 60;
    private static final int AFTER_RED = 14;
    private static final int IMPROVED = 20;
    private static final double BLESSED_AT = 5;

    private final int series;

    SimulatedRates(int series) {
        this.series = series;
    }

    /** Rates in percent of a series in which nothing changes. */
    record Unchanged(double red, double suspect, double rechecks, double newLevels) {}

    /** What was found of a lasting drop, in percent. */
    record Drop(List<Double> redWithin, double redAfter) {}

    Unchanged unchanged(SimulatedNoise noise, MetricRange range, Confirm confirm) {
        long[] sums = sum(number -> {
            SimulatedSeries one = new SimulatedSeries(noise, range, confirm, number);
            long[] counts = new long[4];
            for (int run = 0; run < KNOWN + RUNS; run++) {
                GateResult result = one.next(0, 0).result();
                counts[0] += run >= KNOWN && result.bad() ? 1 : 0;
                counts[1] += run >= KNOWN && result == GateResult.SUSPECT ? 1 : 0;
            }
            counts[2] = one.rechecks();
            counts[3] = one.state().level().origin() == Level.Origin.STEP_UP ? 1 : 0;
            return counts;
        });
        double runs = (double) series * RUNS;
        return new Unchanged(
                100 * sums[0] / runs,
                100 * sums[1] / runs,
                100 * sums[2] / ((double) series * (KNOWN + RUNS)),
                100.0 * sums[3] / series);
    }

    Drop drop(SimulatedNoise noise, double drop, double shift, Confirm confirm) {
        long[] sums = sum(number -> {
            SimulatedSeries one = SimulatedSeries.known(noise, confirm, number, KNOWN);
            long[] counts = new long[RUNS + 2];
            int run = 0;
            while (run < RUNS - AFTER_RED && !one.next(drop, shift).result().bad()) {
                run++;
            }
            if (run < RUNS - AFTER_RED) {
                counts[run] = 1;
                counts[RUNS] = 1;
                for (int more = 0; more < AFTER_RED; more++) {
                    counts[RUNS + 1] += one.next(drop, shift).result().bad() ? 1 : 0;
                }
            }
            return counts;
        });
        double[] within = new double[RUNS + 1];
        for (int run = 0; run < RUNS; run++) {
            within[run + 1] = within[run] + 100.0 * sums[run] / series;
        }
        return new Drop(
                Arrays.stream(within).boxed().toList(), 100.0 * sums[RUNS + 1] / ((double) sums[RUNS] * AFTER_RED));
    }

    /** Shares in percent: red at once, and noticed, of a drop on the run after the first {@code known} of a series. */
    double[] early(int known, double drop, Confirm confirm) {
        return shares(number -> {
            GateResult result = SimulatedSeries.known(SimulatedNoise.NORMAL, confirm, number, known)
                    .next(drop, 0)
                    .result();
            return noticed(result);
        });
    }

    /** False red runs in percent in runs 3 to 20 of a new series. */
    double young(SimulatedNoise noise, Confirm confirm) {
        long[] sums = sum(number -> {
            SimulatedSeries one = SimulatedSeries.known(noise, confirm, number, 2);
            long red = 0;
            for (int run = 3; run <= KNOWN; run++) {
                red += one.next(0, 0).result().bad() ? 1 : 0;
            }
            return new long[] {red};
        });
        return 100.0 * sums[0] / (series * (KNOWN - 2.0));
    }

    /** Shares in percent of those found in 5 and in 20 runs after a fall back from an improvement of 20 runs. */
    double[] fallBack(double step, Confirm confirm) {
        return shares(number -> {
            SimulatedSeries one = SimulatedSeries.known(SimulatedNoise.NORMAL, confirm, number, KNOWN);
            for (int run = 0; run < IMPROVED; run++) {
                one.next(-step, 0);
            }
            int run = 1;
            while (run <= 20 && !one.next(0, 0).result().bad()) {
                run++;
            }
            return new long[] {run <= 5 ? 1 : 0, run <= 20 ? 1 : 0};
        });
    }

    /** Shares in percent of red and of noticed drops on run {@code at} of a blessed level, which is 5 SD below the old one. */
    double[] blessed(int at, double drop, Confirm confirm) {
        return shares(number -> {
            SimulatedSeries one = blessed(number, confirm);
            for (int run = 2; run < at; run++) {
                one.next(BLESSED_AT, 0);
            }
            return noticed(one.next(BLESSED_AT + drop, 0).result());
        });
    }

    /** False red runs in percent, in 60 runs after a blessing. */
    double unchangedAfterBlessing(Confirm confirm) {
        long[] sums = sum(number -> {
            SimulatedSeries one = blessed(number, confirm);
            long red = 0;
            for (int run = 0; run < RUNS; run++) {
                red += one.next(BLESSED_AT, 0).result().bad() ? 1 : 0;
            }
            return new long[] {red};
        });
        return 100.0 * sums[0] / ((double) series * RUNS);
    }

    private static SimulatedSeries blessed(int number, Confirm confirm) {
        SimulatedSeries one = SimulatedSeries.known(SimulatedNoise.NORMAL, confirm, number, KNOWN);
        one.bless(one.next(BLESSED_AT, 0));
        return one;
    }

    private static long[] noticed(GateResult result) {
        return new long[] {result.bad() ? 1 : 0, result.bad() || result == GateResult.SUSPECT ? 1 : 0};
    }

    private double[] shares(IntFunction<long[]> counts) {
        long[] sums = sum(counts);
        return new double[] {100.0 * sums[0] / series, 100.0 * sums[1] / series};
    }

    private long[] sum(IntFunction<long[]> counts) {
        return IntStream.range(0, series)
                .parallel()
                .mapToObj(counts)
                .reduce((one, other) -> {
                    long[] both = one.clone();
                    for (int i = 0; i < both.length; i++) {
                        both[i] += other[i];
                    }
                    return both;
                })
                .orElseThrow();
    }
}
