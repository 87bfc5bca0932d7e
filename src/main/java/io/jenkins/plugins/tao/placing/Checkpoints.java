package io.jenkins.plugins.tao.placing;

import io.jenkins.plugins.tao.job.text.OwnFile;
import io.jenkins.plugins.tao.status.MetricPoint;
import io.jenkins.plugins.tao.status.StatusSeries;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Chooses a checkpoint among the files that a training left, by the rules of {@code checkpoints.txt}; pure. */
final class Checkpoints {
    private static final List<String> RULES = OwnFile.text(Checkpoints.class, "checkpoints.txt")
            .lines()
            .filter(line -> !line.isBlank() && !line.startsWith("#"))
            .toList();
    private static final List<Name> NAMES =
            rules("name ").stream().map(Name::parse).toList();
    private static final List<Pattern> OWN =
            rules("own ").stream().map(Pattern::compile).toList();

    private Checkpoints() {}

    private static List<String> rules(String kind) {
        return RULES.stream()
                .filter(line -> line.startsWith(kind))
                .map(line -> line.substring(kind.length()))
                .toList();
    }

    private record Name(int first, Pattern pattern) {
        static Name parse(String rule) {
            String[] parts = rule.split(" ", 2);
            return new Name(Integer.parseInt(parts[0]), Pattern.compile(parts[1]));
        }
    }

    /** One file, its epoch counted from 0. */
    private record Saved(String file, long epoch, long step) {}

    private static List<Saved> saved(List<String> files) {
        List<Saved> found = new ArrayList<>();
        for (String file : files) {
            for (Name name : NAMES) {
                Matcher match = name.pattern().matcher(file);
                if (match.matches()) {
                    boolean steps = name.pattern().pattern().contains("(?<step>");
                    found.add(new Saved(
                            file,
                            Long.parseLong(match.group("epoch")) - name.first(),
                            steps ? Long.parseLong(match.group("step")) : 0));
                    break;
                }
            }
        }
        found.sort(Comparator.comparingLong(Saved::epoch).thenComparingLong(Saved::step));
        return found;
    }

    /** The newest by epoch and step. */
    static Optional<String> last(List<String> files) {
        List<Saved> found = saved(files);
        return found.isEmpty()
                ? Optional.empty()
                : Optional.of(found.get(found.size() - 1).file());
    }

    /** The newest of {@code epoch}, counted from 0. */
    static Optional<String> ofEpoch(List<String> files, long epoch) {
        return last(saved(files).stream()
                .filter(one -> one.epoch() == epoch)
                .map(Saved::file)
                .toList());
    }

    /**
     * The file that the network keeps as its best, else that of the best epoch; where an epoch left none, the next one that did, for it
     * holds all that the best one had learned.
     */
    static Optional<String> best(List<String> files, String status) {
        Optional<String> own = OWN.stream()
                .flatMap(pattern ->
                        files.stream().filter(file -> pattern.matcher(file).matches()))
                .findFirst();
        return own.or(() -> bestEpoch(status)
                .flatMap(epoch -> saved(files).stream()
                        .filter(one -> one.epoch() >= epoch)
                        .findFirst()
                        .flatMap(one -> ofEpoch(files, one.epoch()))));
    }

    private static Optional<Long> bestEpoch(String status) {
        StatusSeries series = new StatusSeries(Instant.EPOCH);
        status.lines().forEach(series::take);
        List<MetricPoint> points = series.points();
        for (String rule : rules("metric ")) {
            String[] parts = rule.split(" ", 2);
            Comparator<MetricPoint> order = Comparator.comparingDouble(MetricPoint::value);
            Optional<MetricPoint> best = points.stream()
                    .filter(point -> point.metric().equals(parts[1]))
                    .filter(point -> point.epoch().isPresent() && Double.isFinite(point.value()))
                    .max(parts[0].equals("lowest") ? order.reversed() : order);
            if (best.isPresent()) {
                return best.map(point -> (long) point.epoch().orElse(0));
            }
        }
        return Optional.empty();
    }
}
