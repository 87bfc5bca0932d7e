package io.jenkins.plugins.tao.gate;

import io.jenkins.plugins.tao.gate.statistics.Direction;
import io.jenkins.plugins.tao.gate.statistics.Level;
import io.jenkins.plugins.tao.gate.statistics.Night;
import io.jenkins.plugins.tao.gate.statistics.UsualRule;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;

/**
 * Plays the usual rule on simulated nights of one series: how often it alarms when nothing changed, and how soon it finds a drop. A night has
 * a value of standard deviation 1; outlier nights, 5 of 100, lie 3 to 8 off; a confirming run has a chance of its own. The first bad night is
 * 1.
 */
public final class GateRates {
    private static final int NIGHTS = 30;
    private static final long SEED = 20261122;
    private static final double OUTLIER_SHARE = 0.05;

    private final RandomGenerator random =
            RandomGeneratorFactory.of("L64X128MixRandom").create(SEED);
    private final int good;
    private final int bad;

    /** With so many series of each kind. */
    public GateRates(int good, int bad) {
        this.good = good;
        this.bad = bad;
    }

    /** How the values are spread. */
    private enum Noise {
        NORMAL("normal", false, false),
        OUTLIERS("with outlier nights", false, true),
        HEAVY("heavy tails", true, false),
        BOTH("heavy tails and outlier nights", true, true);

        private final String words;
        private final boolean heavy;
        private final boolean outliers;

        Noise(String words, boolean heavy, boolean outliers) {
            this.words = words;
            this.heavy = heavy;
            this.outliers = outliers;
        }
    }

    /** The rates by what they are, as {@code 0.19 %} or {@code 4 / 7 nights}. */
    public Map<String, String> table() {
        Map<String, String> rows = new LinkedHashMap<>();
        for (int known : new int[] {10, NIGHTS}) {
            for (Noise noise : Noise.values()) {
                rows.put(
                        "false alarms a night, " + known + " nights known, " + noise.words,
                        String.format(Locale.ROOT, "%.2f %%", 100 * falseAlarms(known, noise)));
            }
            for (double drop : new double[] {1, 2, 3, 5}) {
                rows.put(
                        String.format(
                                Locale.ROOT,
                                "nights to find a drop of %.0f SD, %d nights known (half, 90 %%)",
                                drop,
                                known),
                        found(known, drop));
            }
        }
        return rows;
    }

    /** The share of nights with an alarm in series where nothing changes. */
    public double falseAlarms(int known, boolean heavy, boolean outliers) {
        return falseAlarms(
                known, heavy ? (outliers ? Noise.BOTH : Noise.HEAVY) : outliers ? Noise.OUTLIERS : Noise.NORMAL);
    }

    private double falseAlarms(int known, Noise noise) {
        long alarms = 0;
        for (int series = 0; series < good; series++) {
            UsualRule rule = begun(known, noise);
            for (int night = 0; night < NIGHTS; night++) {
                if (rule.next(night(0, noise)).call().bad()) {
                    alarms++;
                }
            }
        }
        return alarms / (double) (good * (long) NIGHTS);
    }

    private String found(int known, double drop) {
        int[] nights = nights(known, drop);
        return word(nights[nights.length / 2]) + " / " + word(nights[nights.length * 9 / 10]);
    }

    /** The nights until a drop was found, sorted; beyond 30 when it was not. */
    public int[] nights(int known, double drop) {
        int[] nights = new int[bad];
        for (int series = 0; series < bad; series++) {
            UsualRule rule = begun(known, Noise.NORMAL);
            int night = 1;
            while (night <= NIGHTS
                    && !rule.next(night(drop, Noise.NORMAL)).call().bad()) {
                night++;
            }
            nights[series] = night;
        }
        Arrays.sort(nights);
        return nights;
    }

    private static String word(int night) {
        return night > NIGHTS ? "not in " + NIGHTS : Integer.toString(night);
    }

    private UsualRule begun(int known, Noise noise) {
        UsualRule rule = new UsualRule(Direction.HIGHER, Level.Declared.NOTHING);
        for (int night = 0; night < known; night++) {
            rule.next(night(0, noise));
        }
        return rule;
    }

    private Night night(double drop, Noise noise) {
        return Night.of("", value(noise) - drop).confirmedBy(value(noise) - drop);
    }

    private double value(Noise noise) {
        double value = random.nextGaussian();
        if (noise.heavy) {
            double squares = 0;
            for (int i = 0; i < 3; i++) {
                double part = random.nextGaussian();
                squares += part * part;
            }
            value /= Math.sqrt(squares); // Student's t with 3 degrees of freedom, scaled to a variance of 1
        }
        if (noise.outliers && random.nextDouble() < OUTLIER_SHARE) {
            value += (random.nextBoolean() ? 1 : -1) * random.nextDouble(3, 8);
        }
        return value;
    }
}
