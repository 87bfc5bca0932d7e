package io.jenkins.plugins.tao.status;

import com.fasterxml.jackson.core.json.JsonReadFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MappingIterator;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * One object of a {@code status.json}.
 *
 * @param status the word as written
 * @param message at most {@value #MAX_MESSAGE} characters of it
 * @param fractions whether the epoch is how many epochs are done: TAO's callback for the trainers of Hugging Face writes 0.1 or 1.0, with
 *     {@code max_step} beside it, read in nvidia_tao_core c93b4d40
 * @param metrics what {@code graphical} and, before it, {@code kpi} name
 */
record StatusLine(
        String status,
        String message,
        OptionalDouble epoch,
        OptionalDouble maxEpoch,
        boolean fractions,
        OptionalDouble step,
        OptionalDouble maxStep,
        Optional<Duration> eta,
        Map<String, Double> metrics) {
    static final int MAX_MESSAGE = 2000;
    static final int MAX_METRICS = 1000;

    private static final ObjectReader JSON = JsonMapper.builder()
            .enable(JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS)
            .enable(JsonReadFeature.ALLOW_UNESCAPED_CONTROL_CHARS)
            .build()
            .readerFor(JsonNode.class);

    /** The status objects of one line: none when it is garbage, several when two writers met in it. */
    static List<StatusLine> parse(String line) {
        return objects(line).stream().map(StatusLine::of).toList();
    }

    /** The same as they stand. */
    static List<JsonNode> objects(String line) {
        List<JsonNode> found = new ArrayList<>();
        try (MappingIterator<JsonNode> values = JSON.readValues(line)) {
            while (values.hasNextValue()) {
                JsonNode value = values.nextValue();
                if (value.path("status").isTextual()) {
                    found.add(value);
                }
            }
        } catch (IOException damaged) {
            return found;
        }
        return found;
    }

    /** Whether it only remarks on something left out, and says nothing of the run. */
    boolean isRemark() {
        return status.equalsIgnoreCase("SKIPPED");
    }

    /** {@code before} with the newer values of this line, bounded in number. */
    Map<String, Double> metricsOver(Map<String, Double> before) {
        Map<String, Double> all = new LinkedHashMap<>(before);
        metrics.forEach((name, value) -> {
            if (all.size() < MAX_METRICS || all.containsKey(name)) {
                all.put(name, value);
            }
        });
        return all;
    }

    static StatusLine of(JsonNode line) {
        String message = line.path("message").asText();
        return new StatusLine(
                line.path("status").textValue(),
                message.substring(0, Math.min(MAX_MESSAGE, message.length())),
                Numbers.finite(line.path("epoch")),
                Numbers.finite(line.path("max_epoch")),
                line.path("epoch").isFloatingPointNumber() && line.has("max_step"),
                Numbers.finite(line.has("step") ? line.path("step") : line.path("cur_iter")),
                Numbers.finite(line.path("max_step")),
                Timedelta.read(line.path("eta")),
                metrics(line));
    }

    private static Map<String, Double> metrics(JsonNode line) {
        Map<String, Double> metrics = new LinkedHashMap<>();
        for (String group : List.of("graphical", "kpi")) {
            line.path(group)
                    .properties()
                    .forEach(metric -> Numbers.read(newest(metric.getValue()))
                            .ifPresent(value -> metrics.put(metric.getKey(), value)));
        }
        return metrics;
    }

    /** A curve is an object of value by step, the newest step last. */
    static JsonNode newest(JsonNode value) {
        JsonNode last = value;
        if (value.isObject()) {
            for (JsonNode point : value) {
                last = point;
            }
        }
        return last;
    }
}
