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

/**
 * Two runs side by side: each metric with its difference in words, several runs as distributions; pure.
 *
 * @param before at least one
 * @param now at least one
 */
public record RunComparison(List<RunRecord> before, List<RunRecord> now) {
    private static final List<String> HEADS = List.of("metric", "before", "now", "change", "in words");
    private static final double UNLIKELY = 0.05;

    public RunComparison {
        before = List.copyOf(before);
        now = List.copyOf(now);
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
                String unit = measure.unit().isEmpty() ? "" : " (" + measure.unit() + ")";
                rows.add(row(measure.key() + unit, Optional.of(measure.direction()), then, today));
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
        double before = Numbers.mean(then);
        double now = Numbers.mean(today);
        return List.of(
                name,
                Words.apart(before, now),
                Words.apart(now, before),
                change(contrast, before),
                words(direction, contrast));
    }

    private static String mean(double... values) {
        return values.length == 0 ? "" : Words.brief(Numbers.mean(values));
    }

    private static String change(Contrast contrast, double before) {
        String part =
                before == 0 ? "" : " (" + Words.rounded(100 * contrast.difference() / Math.abs(before), 2) + " %)";
        return Words.rounded(contrast.difference(), 2) + part;
    }

    private static String words(Optional<Direction> direction, Contrast contrast) {
        String better = direction
                .map(known -> known.oriented(contrast.difference()) >= 0 ? "better" : "worse")
                .orElse("another value");
        if (contrast.difference() == 0) {
            return "equal";
        }
        if (contrast.before() < 2 || contrast.after() < 2) {
            return better + "; one run each does not exclude chance";
        }
        String runs = contrast.before() == contrast.after()
                ? contrast.after() + " runs each"
                : contrast.before() + " and " + contrast.after() + " runs";
        if (Double.isNaN(contrast.welchP())) {
            return better + "; the runs of each are equal (" + runs + ")";
        }
        String size = Words.rounded(contrast.difference(), 2) + " ± "
                + Words.rounded((contrast.high() - contrast.low()) / 2, 2) + " (" + runs + ")";
        return contrast.welchP() < UNLIKELY
                ? better + ", hardly by chance: " + size
                : "no sure difference: " + size + (contrast.smallestRankP() > UNLIKELY ? "; more runs show more" : "");
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
