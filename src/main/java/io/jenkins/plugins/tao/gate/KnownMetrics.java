package io.jenkins.plugins.tao.gate;

import io.jenkins.plugins.tao.gate.statistics.Direction;
import io.jenkins.plugins.tao.gate.statistics.MetricRange;
import io.jenkins.plugins.tao.record.RunRecord;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What is known of metrics: direction and range, by network and action; {@code metrics.tsv} beside this class. A name alone is not enough:
 * {@code val/d1} is better high for depth_net mono and better low for stereo.
 */
public final class KnownMetrics {
    private static final KnownMetrics ALL = load();

    /** One pair of bounds at the beginning, and no other after it. */
    private static final Pattern BOUNDS = Pattern.compile("0\\.\\.(100|1)(?!\\d|.*\\.\\.).*");

    private final List<Row> rows;

    private KnownMetrics(List<Row> rows) {
        this.rows = List.copyOf(rows);
    }

    /**
     * One row; the first that fits counts.
     *
     * @param network the network, or {@code *}
     * @param action the action, or {@code *}
     * @param metric the whole name, a pattern
     * @param direction which values are good
     * @param range what its values are, for people
     */
    public record Row(String network, String action, Pattern metric, Direction direction, String range) {
        /** Its range as a scale; open where the range is not known, or depends on more than network and action. */
        MetricRange scale() {
            Matcher bounds = BOUNDS.matcher(range);
            if (!bounds.matches()) {
                return MetricRange.OPEN;
            }
            return bounds.group(1).equals("1") ? MetricRange.SHARE : MetricRange.PERCENT;
        }

        private boolean fits(String ofNetwork, String ofAction, String name) {
            return (network.equals("*") || network.equals(ofNetwork))
                    && (action.equals("*") || action.equals(ofAction))
                    && metric.matcher(name).matches();
        }
    }

    /** What is known of {@code metric} in {@code run}; a name with its folder behind it is the same metric. */
    public static Optional<Row> of(RunRecord run, String metric) {
        String name = metric.replaceFirst(" \\[[^\\]]*\\]$", "");
        String network = run.text("work/network").orElse("");
        String action = run.text("work/action").orElse("");
        return ALL.rows.stream().filter(row -> row.fits(network, action, name)).findFirst();
    }

    private static KnownMetrics load() {
        try (InputStream in = KnownMetrics.class.getResourceAsStream("metrics.tsv");
                BufferedReader lines = new BufferedReader(
                        new InputStreamReader(java.util.Objects.requireNonNull(in), StandardCharsets.UTF_8))) {
            return new KnownMetrics(lines.lines()
                    .filter(line -> !line.isBlank() && !line.startsWith("#"))
                    .map(KnownMetrics::row)
                    .toList());
        } catch (IOException e) {
            throw new UncheckedIOException("metrics.tsv cannot be read", e);
        }
    }

    private static Row row(String line) {
        String[] cells = line.split("\t", -1);
        return new Row(
                cells[0],
                cells[1],
                Pattern.compile(cells[2], Pattern.CASE_INSENSITIVE),
                Direction.valueOf(cells[3]),
                cells[4]);
    }
}
