package io.jenkins.plugins.tao.gate.statistics;

import java.util.ArrayList;
import java.util.List;

/**
 * Regression that is neither fixed nor blessed. Its reference was frozen at its first red run. It ends with a run that is surely
 * back at the old level, or with two runs in a row above the middle between the old and the bad level.
 *
 * @param began when it began
 * @param reference the level before it, on the scale of comparison
 * @param bad how many bad runs there were, suspect ones among them
 * @param badMean their mean, on the scale of comparison
 * @param red how many red runs there were
 * @param held the runs of the drop that were not below the limit, while it is short; empty later
 * @param passed the newest runs that are above the middle
 */
public record Regression(
        Began began,
        BaselineStatistics reference,
        int bad,
        double badMean,
        int red,
        List<LevelRun> held,
        List<LevelRun> passed) {
    /** A regression that ends before so many red runs may have been none: its runs above the limit are usual ones. */
    private static final int SHORT = 4;

    private static final int ENOUGH = 2;
    private static final double SURE = 3;

    /**
     * First run of a regression, as far as the values show it.
     *
     * @param since the label of the first bad run
     * @param lastGood the label of the newest run before it that was never suspect; empty when there is none
     * @param sure whether the place of the change is sure; otherwise it is "since about"
     */
    public record Began(String since, String lastGood, boolean sure) {}

    public Regression {
        held = List.copyOf(held);
        passed = List.copyOf(passed);
    }

    static Regression of(Began began, BaselineStatistics reference, List<LevelRun> bad, List<LevelRun> held) {
        double mean = bad.stream().mapToDouble(LevelRun::value).average().orElse(reference.mean());
        return new Regression(began, reference, bad.size(), mean, 1, held, List.of());
    }

    /** The middle between the old and the bad level, on the scale of comparison. */
    public double middle() {
        return (reference.mean() + badMean) / 2;
    }

    /** With the next run. */
    Regression with(LevelRun run) {
        List<LevelRun> usual = red < SHORT ? with(held, run) : List.of();
        if (run.value() >= middle()) {
            return new Regression(began, reference, bad, badMean, red + 1, usual, more(passed, run));
        }
        double mean = badMean + (run.value() - badMean) / (bad + 1);
        return new Regression(began, reference, bad + 1, mean, red + 1, usual, List.of());
    }

    /** {@code runs} and {@code run}, unless that is below the limit. */
    private List<LevelRun> with(List<LevelRun> runs, LevelRun run) {
        return run.value() < reference.limit() ? runs : more(runs, run);
    }

    private static List<LevelRun> more(List<LevelRun> runs, LevelRun run) {
        List<LevelRun> more = new ArrayList<>(runs);
        more.add(run);
        return more;
    }

    /** The runs that the level takes when it is over, the oldest first. */
    List<LevelRun> accepted() {
        return held.isEmpty() ? passed : held;
    }

    /**
     * A run that reaches it ends the regression alone: it is {@code e^3}, or 20 times, likelier at the old level than at the bad one (the
     * likelihood ratio of two normal levels; Wald 1945, "Sequential Tests of Statistical Hypotheses"), or it reaches the old mean.
     */
    public double recovery() {
        double drop = reference.mean() - badMean;
        double sure = middle() + SURE * reference.scale() * reference.scale() / drop;
        return drop > 0 ? Math.min(reference.mean(), sure) : reference.mean();
    }

    /** Whether the newest run ended it. */
    boolean over() {
        return passed.size() >= ENOUGH
                || (!passed.isEmpty() && passed.get(passed.size() - 1).value() >= recovery());
    }
}
