package io.jenkins.plugins.tao.backend.simulated;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import lombok.RequiredArgsConstructor;

/**
 * The lines of {@code status.json} that a job writes, in the order and the words of TAO's PyTorch networks. Pure.
 *
 * @see <a href="https://github.com/NVIDIA-TAO/tao-pytorch">tao-pytorch, core/loggers/api_logging.py and core/callbacks/loggers.py</a>,
 *     read for 7.0.1
 */
@RequiredArgsConstructor
final class PlayedStatus {
    /** As TAO writes what is not a number: bare, which is no JSON. */
    private static final JsonMapper JSON =
            JsonMapper.builder().disable(JsonWriteFeature.WRITE_NAN_AS_STRINGS).build();

    private static final DateTimeFormatter DATE =
            DateTimeFormatter.ofPattern("M/d/yyyy", Locale.ROOT).withZone(ZoneOffset.UTC);
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("H:m:s", Locale.ROOT).withZone(ZoneOffset.UTC);
    private static final int STEPS = 50;
    private static final double DECAY = 4;
    private static final double FIRST_LOSS = 4;
    private static final double TRAIN_LOSS = 0.35;
    private static final double MILLIS = 1000;

    private final PlayRequest request;
    private final Chance chance;
    private Map<String, Double> sticky = Map.of();

    String starting(Instant at) {
        return line(node(), at, "STARTED", "Starting " + request.networkName() + " " + request.action() + ".");
    }

    String resuming(Instant at, int epoch) {
        return line(node(), at, "RUNNING", "Resuming training from checkpoint: " + PlayFiles.checkpoint(epoch));
    }

    String loop(Instant at) {
        return line(node(), at, "STARTED", "Starting Training Loop.");
    }

    /** What stands there after one epoch: validation, progress, training. */
    List<String> epoch(Instant at, int epoch, double millis, Map<String, Double> kpis, double loss, double throughput) {
        sticky = kpis;
        String validation = line(node(), at, "RUNNING", "Eval metrics generated.");
        ObjectNode progress = node();
        progress.put("epoch", epoch)
                .put("step", (epoch + 1) * STEPS)
                .put("max_epoch", request.epochs() - 1)
                .put("max_step", request.epochs() * STEPS)
                .put("time_per_epoch", timedelta(millis))
                .put("time_per_step", timedelta(millis / STEPS))
                .put("eta", timedelta(millis * (request.epochs() - 1 - epoch)));
        String loop = line(progress, at, "RUNNING", "Training loop in progress");
        Map<String, Double> training = new LinkedHashMap<>();
        training.put("train_loss", loss);
        if (throughput > 0) {
            training.put("throughput", rounded(throughput));
        }
        sticky = training;
        return List.of(validation, loop, line(node(), at, "RUNNING", "Train metrics generated."));
    }

    List<String> finished(Instant at) {
        return List.of(
                line(node(), at, "RUNNING", "Training loop complete."),
                line(node(), at, "RUNNING", "Train finished successfully."));
    }

    List<String> evaluated(Instant at, boolean spoiled) {
        sticky = kpis(request.epochs() - 1, spoiled);
        String mode = request.action().substring(0, 1).toUpperCase(Locale.ROOT)
                + request.action().substring(1);
        return List.of(
                line(node(), at, "RUNNING", "Test metrics generated."),
                line(node(), at, "RUNNING", mode + " finished successfully."));
    }

    /** The metrics after {@code epoch}: on their way to what was asked for, as much off it as runs and epochs differ. */
    Map<String, Double> kpis(int epoch, boolean spoiled) {
        Map<String, Double> kpis = new LinkedHashMap<>();
        request.kpis().forEach((name, end) -> kpis.put(name, spoiled ? Double.NaN : value(name, end, epoch)));
        return kpis;
    }

    double loss(int epoch, boolean spoiled) {
        return spoiled ? Double.NaN : value("train_loss", TRAIN_LOSS, epoch);
    }

    private double value(String name, double end, int epoch) {
        double last = Math.exp(-DECAY);
        double left = (Math.exp(-DECAY * (epoch + 1) / request.epochs()) - last) / (1 - last);
        double way = name.toLowerCase(Locale.ROOT).contains("loss") ? 1 + FIRST_LOSS * left : 1 - left;
        double noise = request.noise() * (chance.normal(name, -1) + chance.normal(name, epoch) / 2);
        return rounded(end * (way + noise));
    }

    private static double rounded(double value) {
        return Math.round(value * 1e6) / 1e6;
    }

    private String line(ObjectNode node, Instant at, String status, String message) {
        node.put("date", DATE.format(at))
                .put("time", TIME.format(at))
                .put("status", status)
                .put("verbosity", "INFO")
                .put("message", message);
        if (!sticky.isEmpty()) {
            ObjectNode kpi = node.putObject("kpi");
            sticky.forEach(kpi::put);
        }
        try {
            return JSON.writeValueAsString(node);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("numbers and texts can always be written", e);
        }
    }

    private static ObjectNode node() {
        return JSON.createObjectNode();
    }

    /** As Python writes a length of time: {@code 0:03:21.500000}. */
    private static String timedelta(double millis) {
        long whole = Math.round(millis);
        return String.format(
                Locale.ROOT,
                "%s%d:%02d:%09.6f",
                whole >= 86_400_000 ? whole / 86_400_000 + (whole >= 172_800_000 ? " days, " : " day, ") : "",
                whole / 3_600_000 % 24,
                whole / 60_000 % 60,
                whole % 60_000 / MILLIS);
    }
}
