package io.jenkins.plugins.tao.gate.statistics;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Stretch of a series with one centre and one spread.
 *
 * @param origin why it began
 * @param since the label of its first run; empty before the first run
 * @param why the reason of a blessing or the named change; empty otherwise
 * @param runs its newest accepted runs, the oldest first, at most {@link #MOST_RUNS}
 * @param kept the spread of the level before, if there was one
 */
public record Level(Origin origin, String since, String why, List<LevelRun> runs, Optional<KeptSpread> kept) {
    /** How many runs a level remembers: the window, and the longest slow regression that is taken back. */
    static final int MOST_RUNS = 80;

    /** Why a level began. */
    public enum Origin {
        /** The first run of the series. */
        FIRST_RUN,
        /** A user blessed a run. */
        BLESSING,
        /** The values rose, too far for chance. */
        STEP_UP,
        /** A change that begins a level, such as an image under {@code mustMatch}. */
        NAMED_CHANGE
    }

    public Level {
        runs = List.copyOf(runs);
    }

    /** A level without runs. */
    static Level begin(Origin origin, String why, Optional<KeptSpread> kept) {
        return new Level(origin, "", why, List.of(), kept);
    }

    Level with(LevelRun run) {
        List<LevelRun> more = new ArrayList<>(runs.size() + 1);
        more.addAll(runs.size() < MOST_RUNS ? runs : runs.subList(1, runs.size()));
        more.add(run);
        return new Level(origin, runs.isEmpty() ? run.label() : since, why, more, kept);
    }

    /** Without its newest {@code count} runs. */
    Level withoutNewest(int count) {
        return new Level(origin, since, why, runs.subList(0, Math.max(0, runs.size() - count)), kept);
    }

    /** What a sample of {@code replicates} is compared with; empty while there are too few runs, or while all of them are equal. */
    Optional<BaselineStatistics> baseline(MetricRule rule, int replicates) {
        return BaselineStatistics.of(this, rule, replicates);
    }

    /** Its spread for the level after it: its own, else the one that it kept itself. */
    Optional<KeptSpread> spread(MetricRule rule) {
        return baseline(rule, 1)
                .filter(statistics -> statistics.scale() > 0)
                .map(statistics -> new KeptSpread(statistics.scale(), statistics.weight()))
                .or(() -> kept);
    }
}
