package io.jenkins.plugins.tao.acceptance;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/**
 * Rewrites the times of a job in a stopped Jenkins. Its simulated target ran {@code speed} times quicker than the trainings that it simulates:
 * the waiting, the running and the epochs of each run become that many times longer, so that the pages show hours, and each build gets a day,
 * the last one today. The directory of the target becomes one of a user. This changes the history, and of each build {@code build.xml}, the
 * records, the series and the facts of its page. All other values stay as measured.
 */
record StretchedTimes(Path job, Path target, int builds, int speed) {
    private static final JsonMapper JSON = new JsonMapper();
    private static final Path DIRECTORY = Path.of("/home/ci/tao");
    private static final Pattern EPOCH = Pattern.compile("(?m)^(time_per_epoch,.*,)(.+)$");
    private static final Pattern BUILD = Pattern.compile("<(timestamp|startTime)>\\d+<");

    void write() throws IOException {
        Path history = job.resolve("tao/history.jsonl");
        List<String> lines = new ArrayList<>();
        for (String line : Files.readAllLines(history)) {
            lines.add(stretched((ObjectNode) JSON.readTree(line)).toString());
        }
        Files.write(history, lines);
    }

    private ObjectNode stretched(ObjectNode run) throws IOException {
        String id = run.path("id").asText();
        Path sent = target.resolve("jobs").resolve(id).resolve("job.json"); // has milliseconds, the record seconds
        long submitted = JSON.readTree(Files.readString(sent)).path("at").asLong();
        Duration waited = since(submitted, run.at("/times/startedAt"));
        Duration all = since(submitted, run.at("/times/endedAt"));
        long ran = all.minus(waited).toSeconds();
        String number = run.at("/origin/build").asText().substring(1);
        Path build = job.resolve("builds").resolve(number);
        Instant day =
                Instant.now().truncatedTo(ChronoUnit.DAYS).minus(builds - Long.parseLong(number), ChronoUnit.DAYS);

        ObjectNode facts = JSON.createObjectNode()
                .put("startedAt", day.plus(waited).toString())
                .put("endedAt", day.plus(all).toString())
                .put("queueSeconds", waited.toSeconds())
                .put("runSeconds", ran);
        run.withObject("/origin").put("buildAt", day.toString());
        run.withObject("/times").put("submittedAt", day.toString()).setAll(facts);
        facts.put("gpuSeconds", ran * run.at("/machines/gpus").asLong());
        run.withObject("/machines").set("gpuSeconds", facts.get("gpuSeconds"));
        epochs(run.withObject("/metrics/time_per_epoch"));

        Path archive = build.resolve("archive/tao").resolve(id);
        Files.writeString(archive.resolve("record.json"), run.toPrettyString());
        rewrite(
                archive.resolve("series.csv"),
                EPOCH,
                point -> point.group(1) + Double.parseDouble(point.group(2)) * speed);
        rewrite(build.resolve("build.xml"), BUILD, time -> "<" + time.group(1) + ">" + day.toEpochMilli() + "<");
        ObjectNode line = JSON.createObjectNode().put("id", id).set("facts", facts);
        Path jobs = build.resolve("tao/jobs.jsonl");
        Files.writeString(jobs, line + "\n", StandardOpenOption.APPEND);
        rewrite(jobs, Pattern.compile(Pattern.quote(encoded(target))), path -> encoded(DIRECTORY));
        return run;
    }

    /** As in a token. */
    private static String encoded(Path path) {
        return URLEncoder.encode(path.toString(), StandardCharsets.UTF_8);
    }

    private Duration since(long submitted, JsonNode moment) {
        return Duration.between(Instant.ofEpochMilli(submitted), Instant.parse(moment.asText()))
                .multipliedBy(speed);
    }

    private static void rewrite(Path file, Pattern found, Function<MatchResult, String> by) throws IOException {
        Files.writeString(file, found.matcher(Files.readString(file)).replaceAll(by));
    }

    private void epochs(ObjectNode metric) {
        for (String key : List.of("last", "lowest", "highest")) {
            metric.put(key, metric.path(key).asDouble() * speed);
        }
        for (JsonNode point : metric.path("curve")) {
            ((ArrayNode) point).set(1, point.path(1).asDouble() * speed);
        }
    }
}
