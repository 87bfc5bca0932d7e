package io.jenkins.plugins.tao.gate.statistics;

import io.jenkins.plugins.tao.gate.statistics.SimulatedSeries.Confirm;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;

/**
 * The table of figures of the rule: how often it alarms without cause and what it finds, by who decides about a suspect run, each
 * figure beside its bar. The same for every start.
 */
final class VerdictSimulation {
    private final SimulatedRates rates;
    private final List<String> missed = new ArrayList<>();
    private final StringBuilder table = new StringBuilder(
            "| figure | bar (default) | default | confirm: rerun | confirm: pair |\n|---|---|---|---|---|\n");

    private VerdictSimulation(int series) {
        rates = new SimulatedRates(series);
    }

    /** All figures, of so many series each. */
    static VerdictSimulation of(int series) {
        return new VerdictSimulation(series).run();
    }

    /** Rows of Markdown. */
    String table() {
        return table.toString();
    }

    /** The figures that do not hold their bars. */
    List<String> missed() {
        return missed;
    }

    private VerdictSimulation run() {
        unchanged();
        drops();
        beginnings();
        levels();
        return this;
    }

    private <T> Map<Confirm, T> each(Function<Confirm, T> measure) {
        Map<Confirm, T> found = new EnumMap<>(Confirm.class);
        for (Confirm confirm : Confirm.values()) {
            found.put(confirm, measure.apply(confirm));
        }
        return found;
    }

    private <T> void line(String what, String bar, Map<Confirm, T> found, Function<T, Double> percent) {
        StringBuilder line =
                new StringBuilder("| ").append(what).append(" | ").append(bar).append(" |");
        found.forEach((confirm, value) -> {
            double number = percent.apply(value);
            boolean good = confirm != Confirm.NEXT_RUN || bar.isEmpty() || holds(bar, number);
            if (!good) {
                missed.add(what);
            }
            line.append(String.format(Locale.ROOT, number < 10 ? " %.2f" : " %.1f", number))
                    .append(good ? " |" : " **not met** |");
        });
        table.append(line).append('\n');
    }

    private static boolean holds(String bar, double value) {
        double limit = Double.parseDouble(bar.replaceAll("[^0-9.]", ""));
        return bar.startsWith("≤") ? value <= limit : value >= limit;
    }

    private void unchanged() {
        for (SimulatedNoise noise : SimulatedNoise.values()) {
            String bar =
                    switch (noise) {
                        case NORMAL -> "≤ 0.15";
                        case HEAVY_OUTLIERS -> "≤ 0.55";
                        case BETA_97, BETA_99, IMAGES_500 -> "≤ 0.5";
                        default -> "";
                    };
            var found = each(confirm -> rates.unchanged(noise, noise.range(), confirm));
            line("false red runs: " + noise.words, bar, found, SimulatedRates.Unchanged::red);
            if (noise.range() != MetricRange.OPEN) {
                var unknown = each(confirm -> rates.unchanged(noise, MetricRange.OPEN, confirm));
                line("— the same where the range is not known", "", unknown, SimulatedRates.Unchanged::red);
            }
            if (noise == SimulatedNoise.NORMAL || noise == SimulatedNoise.HEAVY_OUTLIERS) {
                line("— suspect runs", "", found, SimulatedRates.Unchanged::suspect);
                line("— reruns or pairs for 100 runs", "", found, SimulatedRates.Unchanged::rechecks);
            }
            if (noise.range() == MetricRange.OPEN) {
                line("— series with a new level without cause", "", found, SimulatedRates.Unchanged::newLevels);
            }
        }
    }

    private void drops() {
        for (double drop : new double[] {1, 2, 3, 5, 20}) {
            var found = each(confirm -> rates.drop(SimulatedNoise.NORMAL, drop, 0, confirm));
            String words = String.format(Locale.ROOT, "lasting drop of %.0f SD: ", drop);
            for (int within : new int[] {1, 2, 5, 20}) {
                String bar = drop == 3 && within == 5 ? "≥ 92" : drop == 20 && within == 1 ? "≥ 99" : "";
                line(
                        words + "red within " + within + " runs",
                        bar,
                        found,
                        rate -> rate.redWithin().get(within));
            }
            String bar = drop == 2 ? "≥ 74" : drop == 3 ? "≥ 91" : drop == 5 ? "≥ 99" : "";
            line(words + "red share of the 14 runs after the first red", bar, found, SimulatedRates.Drop::redAfter);
        }
        var rough = each(confirm -> rates.drop(SimulatedNoise.HEAVY_OUTLIERS, 3, 0, confirm));
        line(
                "lasting drop of 3 SD, t3 and outliers: red within 5 runs",
                "",
                rough,
                rate -> rate.redWithin().get(5));
        var moved = each(confirm -> rates.drop(SimulatedNoise.NORMAL, 0, 3, confirm));
        line(
                "step of the environment of 3 SD: red within 5 runs",
                "",
                moved,
                rate -> rate.redWithin().get(5));
        line(
                "step of the environment of 3 SD: red within 20 runs",
                "",
                moved,
                rate -> rate.redWithin().get(20));
    }

    private void beginnings() {
        for (int run = 3; run <= 5; run++) {
            int known = run - 1;
            var found = each(confirm -> rates.early(known, 20, confirm));
            String words = "drop of 20 SD on run " + run + " of a new series: ";
            line(words + "red at once", run == 4 ? "≥ 90" : "", found, shares -> shares[0]);
            line(words + "suspect or red", "", found, shares -> shares[1]);
        }
        for (SimulatedNoise noise : List.of(SimulatedNoise.NORMAL, SimulatedNoise.HEAVY_OUTLIERS)) {
            var found = each(confirm -> rates.young(noise, confirm));
            line("false red runs in runs 3 to 20 of a new series: " + noise.words, "", found, red -> red);
        }
    }

    private void levels() {
        for (double step : new double[] {2, 3, 4, 6}) {
            var found = each(confirm -> rates.fallBack(step, confirm));
            String words =
                    String.format(Locale.ROOT, "improvement of %.0f SD for 20 runs, then back: red within ", step);
            line(words + "5 runs", "", found, shares -> shares[0]);
            line(words + "20 runs", step == 3 ? "≥ 95" : "", found, shares -> shares[1]);
        }
        for (int run = 2; run <= 5; run++) {
            int at = run;
            var found = each(confirm -> rates.blessed(at, 6, confirm));
            String words = "drop of 6 SD on run " + run + " of a blessed level: ";
            line(words + "suspect or red", "≥ 94", found, shares -> shares[1]);
            line(words + "red at once", "", found, shares -> shares[0]);
        }
        line("false red runs in 60 runs after a blessing: normal", "", each(rates::unchangedAfterBlessing), red -> red);
    }
}
