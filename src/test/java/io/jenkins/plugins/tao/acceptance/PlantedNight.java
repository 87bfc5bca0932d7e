package io.jenkins.plugins.tao.acceptance;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * A night of the nightly example, with what is planted in it. Its metrics are those that the Jenkinsfile of the example lets a simulated target play.
 *
 * @param number counted from 1, which is the seed too
 * @param planted in a word
 * @param wrongLabels which part of the labels is spoilt
 * @param pause seconds that each epoch takes longer
 * @param failure what the simulator lets go wrong; empty for nothing
 */
record PlantedNight(int number, String planted, double wrongLabels, double pause, String failure) {
    static final Map<String, String> KPIS =
            Map.of("classify", "val_acc_1", "segment", "val_miou", "depth", "val/abs_rel");
    static final List<String> MODELS = List.of("classify", "segment", "depth");

    private static final Map<String, Double> USUAL = Map.of("classify", 0.95, "segment", 0.79, "depth", 0.16);
    private static final int FIRST_OF_DRIFT = 19;

    /** The first {@code count} nights. */
    static List<PlantedNight> first(int count) {
        return IntStream.rangeClosed(1, count).mapToObj(PlantedNight::of).toList();
    }

    private static PlantedNight of(int number) {
        return switch (number) {
            case 8 -> new PlantedNight(number, "slow-down", 0, 1, "");
            case 9 -> new PlantedNight(number, "NaN", 0, 0, "nan");
            case 10 -> new PlantedNight(number, "no GPUs", 0, 0, "queue_full");
            case 11, 12 -> new PlantedNight(number, "step", 0.6, 0, "");
            default ->
                number < FIRST_OF_DRIFT
                        ? new PlantedNight(number, "noise", 0, 0, "")
                        : new PlantedNight(number, "slow drift", 0.03 * (number - FIRST_OF_DRIFT + 1), 0, "");
        };
    }

    /** What the build gets as parameters. */
    String parameters() {
        return "TARGET=sim&SIMULATED=true&WRONG_LABELS=" + wrongLabels + "&PAUSE=" + pause + "&FAILURE=" + failure;
    }

    /** The options of the simulated job of a model, as a job file has them. */
    String options(String model) {
        double usual = USUAL.getOrDefault(model, 0.0);
        double spoilt = model.equals("depth") ? 1 + wrongLabels : 1 - 0.06 * wrongLabels;
        return String.format(
                        Locale.ROOT,
                        """
                options:
                  seed: %d%d
                  queue: 1s
                  epochs: 4
                  epochTime: %s
                  kpis: {%s: %s}
                  noise: 0.003
                """,
                        number,
                        model.length(),
                        pause > 0 ? "3s" : "1s",
                        KPIS.get(model),
                        usual * spoilt)
                + (failure.isEmpty() ? "" : "  failure: " + failure + "\n");
    }
}
