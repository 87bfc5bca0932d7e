package io.jenkins.plugins.tao.status;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads the metrics of a whole {@code status.json} as series: each value once, with its epoch. Attempts append to one file, and a resumed
 * one repeats epochs: the newest value of an epoch counts. TAO repeats the last metrics on all later lines, and writes those of a
 * validation before the line of their epoch; read in its releases 5.2, 6.25.10 and 7.0.1.
 */
public final class StatusSeries {
    /** The time an epoch took, in seconds: a metric of our own, from {@code time_per_epoch}. */
    public static final String EPOCH_TIME = "time_per_epoch";

    private static final Pattern NEW_METRICS = Pattern.compile("(?i)metrics (generated|skipped)\\.?$");
    private static final Pattern OF_TRAINING = Pattern.compile("(?i)^train(ing)? metrics generated\\.?$");
    private static final Pattern DATE = Pattern.compile("(\\d{1,2})/(\\d{1,2})/(\\d{4})");
    private static final Pattern TIME = Pattern.compile("(\\d{1,2}):(\\d{1,2}):(\\d{1,2})");
    /** The lines have a local time without a zone, and zones are up to 14 hours apart from UTC. */
    private static final Duration ZONES = Duration.ofHours(14);

    private static final int MOST_POINTS = 200_000;

    private final Instant notBefore;
    private final Map<String, MetricPoint> points = new LinkedHashMap<>();
    private final Set<String> unreadable = new TreeSet<>();
    private Map<String, Double> repeated = Map.of();
    private List<MetricPoint> waiting = new ArrayList<>();
    private OptionalDouble epoch = OptionalDouble.empty();
    private boolean ours = true;
    private boolean atStart;

    /** Reads for a job that was submitted at {@code submitted}: an earlier job's lines in the same file are passed over. */
    public StatusSeries(Instant submitted) {
        notBefore = submitted.minus(ZONES);
    }

    /** Takes the next line of the file. */
    public void take(String line) {
        StatusLine.objects(line.replace("\uFEFF", "").strip()).forEach(this::take);
    }

    /** All values, in the order in which they were first reported. */
    public List<MetricPoint> points() {
        flush(OptionalDouble.empty(), OptionalDouble.empty());
        return List.copyOf(points.values());
    }

    /** The names of metrics whose value was no number. */
    public Set<String> unreadable() {
        return unreadable;
    }

    private void take(JsonNode node) {
        StatusLine line = StatusLine.of(node);
        if (line.status().equals("STARTED")) {
            begin(node);
        }
        if (!ours) {
            return;
        }
        note(node);
        boolean fresh = NEW_METRICS.matcher(line.message()).find()
                || line.message().isBlank()
                || !line.metrics().equals(repeated);
        if (line.epoch().isPresent()) {
            flush(line.epoch(), line.step());
            epoch = line.epoch();
            epochTime(node, line);
        }
        if (fresh && !line.metrics().isEmpty()) {
            spread(line);
        }
        repeated = line.metrics().isEmpty() ? repeated : line.metrics();
    }

    private void spread(StatusLine line) {
        boolean trained = OF_TRAINING.matcher(line.message()).find();
        OptionalDouble at = line.epoch().isPresent() ? line.epoch() : trained ? epoch : OptionalDouble.empty();
        line.metrics().forEach((name, value) -> {
            MetricPoint point = new MetricPoint(name, at, line.step(), value);
            if (at.isPresent()) {
                put(point);
            } else {
                waiting.add(point);
            }
        });
    }

    /** What a validation reports belongs to the epoch line after it. */
    private void flush(OptionalDouble at, OptionalDouble step) {
        for (MetricPoint point : waiting) {
            put(new MetricPoint(point.metric(), at, point.step().isPresent() ? point.step() : step, point.value()));
        }
        waiting = new ArrayList<>();
    }

    private void put(MetricPoint point) {
        String key = point.metric() + "\n"
                + (point.epoch().isPresent() ? "e" + point.epoch().getAsDouble() : "s" + point.step());
        if (points.size() < MOST_POINTS || points.containsKey(key)) {
            points.put(key, point);
        }
    }

    private void epochTime(JsonNode node, StatusLine line) {
        Timedelta.read(node.path(EPOCH_TIME))
                .ifPresent(
                        time -> put(new MetricPoint(EPOCH_TIME, line.epoch(), line.step(), time.toMillis() / 1000.0)));
    }

    private void note(JsonNode node) {
        for (String group : List.of("graphical", "kpi")) {
            node.path(group).properties().forEach(metric -> {
                if (Numbers.read(StatusLine.newest(metric.getValue())).isEmpty()) {
                    unreadable.add(metric.getKey());
                }
            });
        }
    }

    /** The start of a run: the metrics of the run before are not repeated from here on. */
    private void begin(JsonNode node) {
        boolean loop = atStart && node.path("message").asText().startsWith("Starting Training Loop");
        if (!loop) {
            flush(OptionalDouble.empty(), OptionalDouble.empty());
            repeated = Map.of();
            epoch = OptionalDouble.empty();
            ours = !time(node).isBefore(notBefore);
        }
        atStart = true;
    }

    /** The time of a line as if its zone were UTC; the end of time where it tells none. */
    private static Instant time(JsonNode node) {
        Matcher date = DATE.matcher(node.path("date").asText());
        Matcher time = TIME.matcher(node.path("time").asText());
        if (!date.matches() || !time.matches()) {
            return Instant.MAX;
        }
        try {
            return LocalDateTime.of(
                            number(date, 3),
                            number(date, 1),
                            number(date, 2),
                            number(time, 1),
                            number(time, 2),
                            number(time, 3))
                    .toInstant(ZoneOffset.UTC);
        } catch (DateTimeException e) {
            return Instant.MAX;
        }
    }

    private static int number(Matcher match, int group) {
        return Integer.parseInt(match.group(group));
    }
}
