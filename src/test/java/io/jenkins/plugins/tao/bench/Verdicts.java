package io.jenkins.plugins.tao.bench;

import io.jenkins.plugins.tao.gate.GateRates;
import java.util.Map;

/** How often the usual rule of the gates alarms for nothing, and how soon it finds a drop, by simulation; no rig is asked. */
final class Verdicts {
    private static final int GOOD = 3000;
    private static final int BAD = 1000;
    private static final double MOST_CLEAN = 0.0025;
    private static final double MOST_ROUGH = 0.007;

    private Verdicts() {}

    static Figure run() {
        Map<String, String> numbers = new GateRates(GOOD, BAD).table();
        GateRates again = new GateRates(GOOD, BAD);
        boolean met =
                again.falseAlarms(10, false, false) <= MOST_CLEAN && again.falseAlarms(10, true, true) <= MOST_ROUGH;
        return new Figure(
                "Verdicts of the usual rule",
                "false alarms in at most 0.2 % of the nights of a series when clean, in 0.65 % with heavy tails and outliers"
                        + " (simulated to ± 0.05)",
                met,
                "3,000 series without a change and 1,000 with a drop for each line, 30 nights each, one run a night and a"
                        + " confirming run after each suspect one; SD is the standard deviation of one run. Nothing is declared of"
                        + " the noise.",
                numbers);
    }
}
