package io.jenkins.plugins.tao.gate;

import io.jenkins.plugins.tao.gate.criteria.Comparability;
import io.jenkins.plugins.tao.gate.criteria.Words;
import io.jenkins.plugins.tao.gate.statistics.Contrast;
import io.jenkins.plugins.tao.gate.statistics.Direction;
import io.jenkins.plugins.tao.gate.statistics.Measure;
import io.jenkins.plugins.tao.gate.statistics.Numbers;
import io.jenkins.plugins.tao.record.RunRecord;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Two nights side by side: each metric with its difference in words, several runs as distributions; pure. */
public final class RunComparison {
    private static final List<String> HEADS = List.of("metric", "before", "now", "change", "in words");
    private static final double UNLIKELY = 0.05;
    private static final double LARGE = 0.8;
    private static final double MEDIUM = 0.5;

    private final List<RunRecord> before;
    private final List<RunRecord> now;

    /** Compares the runs of two nights; at least one each. */
    public RunComparison(List<RunRecord> before, List<RunRecord> now) {
        this.before = List.copyOf(before);
        this.now = List.copyOf(now);
    }

    /** Lines for a terminal. */
    public String text() {
        return comparability() + Table.text(HEADS, rows()) + new Changes(before.get(0), now.get(0)).text();
    }

    /** GitHub's Markdown. */
    public String markdown() {
        return comparability() + "\n" + Table.markdown(HEADS, rows()) + "\n"
                + new Changes(before.get(0), now.get(0)).markdown();
    }

    /** RFC 4180. */
    public String csv() {
        return Table.csv(HEADS, rows());
    }

    private String comparability() {
        List<String> differences = Comparability.differences(now.get(0), before.get(0));
        return differences.isEmpty()
                ? before.get(0).label() + " and " + now.get(0).label() + " are comparable\n"
                : before.get(0).label() + " and " + now.get(0).label() + " are not comparable: "
                        + String.join("; ", differences) + "\n";
    }

    /** The rows: metric, both values, change, words. */
    public List<List<String>> rows() {
        Set<String> names = new LinkedHashSet<>(now.get(0).metrics().keySet());
        names.addAll(before.get(0).metrics().keySet());
        List<List<String>> rows = new ArrayList<>();
        names.forEach(name -> rows.add(row(name)));
        for (Measure measure : Measure.values()) {
            double[] then = measured(before, measure);
            double[] today = measured(now, measure);
            if (then.length > 0 && today.length > 0) {
                rows.add(row(measure.key(), Optional.of(measure.direction()), then, today));
            }
        }
        return rows;
    }

    private List<String> row(String name) {
        return row(
                name,
                KnownMetrics.of(now.get(0), name).map(KnownMetrics.Row::direction),
                values(before, name),
                values(now, name));
    }

    private static List<String> row(String name, Optional<Direction> direction, double[] then, double[] today) {
        if (then.length == 0 || today.length == 0) {
            return List.of(name, mean(then), mean(today), "", "one of both has no number");
        }
        Contrast contrast = Contrast.of(then, today);
        return List.of(name, mean(then), mean(today), change(contrast, then), words(direction, contrast));
    }

    private static String mean(double... values) {
        return values.length == 0 ? "" : Words.number(Numbers.mean(values));
    }

    private static String change(Contrast contrast, double[] then) {
        double before = Numbers.mean(then);
        String part = before == 0 ? "" : " (" + Words.number(100 * contrast.difference() / Math.abs(before)) + " %)";
        return Words.number(contrast.difference()) + part;
    }

    private static String words(Optional<Direction> direction, Contrast contrast) {
        String better = direction
                .map(known -> known.oriented(contrast.difference()) >= 0 ? "better" : "worse")
                .orElse("another value");
        if (contrast.difference() == 0) {
            return "equal";
        }
        if (contrast.before() < 2 || contrast.after() < 2) {
            return better + "; one run each tells nothing of chance";
        }
        String chance = contrast.welchP() < UNLIKELY ? "hardly by chance" : "may be chance";
        double size = Math.abs(contrast.cohen());
        String effect = size >= LARGE ? "large" : size >= MEDIUM ? "medium" : "small";
        return better + ", " + chance + ": 95 % interval " + Words.number(contrast.low()) + " to "
                + Words.number(contrast.high()) + ", p " + Words.number(contrast.welchP()) + ", " + effect
                + " effect (d "
                + Words.number(contrast.cohen()) + "), ranks p " + Words.number(contrast.rankP())
                + (contrast.smallestRankP() > UNLIKELY
                        ? " (so few runs cannot get below " + Words.number(contrast.smallestRankP()) + ")"
                        : "");
    }

    private static double[] values(List<RunRecord> runs, String name) {
        return runs.stream()
                .filter(RunRecord::succeeded)
                .flatMap(run -> run.metric(name).stream())
                .mapToDouble(metric -> metric.last())
                .filter(Double::isFinite)
                .toArray();
    }

    private static double[] measured(List<RunRecord> runs, Measure measure) {
        return runs.stream()
                .filter(RunRecord::succeeded)
                .flatMapToDouble(run -> measure.of(run).stream())
                .toArray();
    }
}
