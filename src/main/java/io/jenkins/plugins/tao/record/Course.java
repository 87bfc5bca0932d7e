package io.jenkins.plugins.tao.record;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.jenkins.plugins.tao.job.text.Sentences;
import io.jenkins.plugins.tao.status.HookLines;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** How a run went: waiting, attempts, machines, end; from the lines of {@code events.jsonl}. */
final class Course {
    /** Two sources of one start may differ by this. */
    private static final Duration SAME_RUN = Duration.ofMinutes(1);

    private static final int MOST_FACTS = 30;
    private static final int MOST_ATTEMPTS = 20;
    private static final int MOST_NODES = 64;
    private static final int MOST_DETAIL = 600;

    private final ArrayNode attempts = JsonNodeFactory.instance.arrayNode();
    private final Set<String> nodes = new TreeSet<>();
    private final ObjectNode machines = JsonNodeFactory.instance.objectNode();
    private Optional<Instant> firstStart = Optional.empty();
    private Optional<Instant> start = Optional.empty();
    private boolean ranWithoutStart;
    private boolean runs;
    private Duration running = Duration.ZERO;
    /** How long the runs of the attempts before this one took, as far as that is known. */
    private Duration before = Duration.ZERO;

    private boolean unknownBefore;
    private int untimed;
    private int untimedBefore;
    /** Whether the target reported how long all runs of this attempt took. */
    private boolean counted;

    private Optional<JsonNode> end = Optional.empty();
    private Optional<JsonNode> digest = Optional.empty();
    private String front = "";
    private String cause = "";
    private String remedy = "";
    private final List<String> facts = new ArrayList<>();
    private final List<HookLines.Failure> hooks = new ArrayList<>();

    /** Takes the next event; what is none of ours passes by. */
    void take(JsonNode event) {
        switch (event.path("event").asText()) {
            case "state" -> state(event);
            case "machine" -> machine(event);
            case "notice" -> HookLines.told(event.path("text").asText()).ifPresent(hooks::add);
            case "cut" -> front = Sentences.shortened(event.path("text").asText(), MOST_DETAIL);
            case "attempt" -> attempt(event);
            case "ended" -> ended(event);
            case "diagnosis" -> {
                cause = event.path("summary").asText();
                remedy = event.path("remedy").asText();
                facts.clear();
                event.path("facts").forEach(fact -> fact(fact.asText()));
            }
            default -> {}
        }
    }

    /** The last lines of a log are no fact of the target: the record has the first error with the lines around it. */
    private void fact(String text) {
        if (!text.startsWith("main.err: ") && !text.startsWith("main.out: ") && facts.size() < MOST_FACTS) {
            facts.add(Sentences.shortened(text, MOST_DETAIL));
        }
    }

    private void state(JsonNode event) {
        runs |= event.path("state").asText().equals("RUNNING");
        if (event.path("state").asText().equals("PENDING") && start.isPresent()) { // put back into the queue
            moment(event, "at").ifPresent(this::stopped);
            nodes.clear();
        }
        moment(event, "startedAt").ifPresent(this::started);
        event.path("nodes").forEach(name -> nodes.add(name.asText()));
        boolean partly = event.has("ranAtLeastSeconds");
        counted = partly || event.has("ranSeconds");
        if (counted) {
            ranWithoutStart = unknownBefore || partly;
            running = before.plusSeconds(
                    event.path(partly ? "ranAtLeastSeconds" : "ranSeconds").asLong());
            untimed = untimedBefore + event.path("untimed").asInt();
            start = Optional.empty();
            runs = false;
        }
        machine(event);
    }

    private void machine(JsonNode event) {
        event.path("machine").properties().forEach(fact -> machines.set(fact.getKey(), fact.getValue()));
    }

    /** Where a run begins and nothing told of the end of the one before, how long that took is not known. */
    private void started(Instant at) {
        if (start.filter(earlier -> Duration.between(earlier, at).compareTo(SAME_RUN) > 0)
                .isPresent()) {
            ranWithoutStart = true;
            nodes.clear();
        }
        start = Optional.of(at);
        firstStart = firstStart.or(() -> start);
    }

    private void attempt(JsonNode event) {
        moment(event, "at").ifPresent(this::stopped);
        if (attempts.size() < MOST_ATTEMPTS) {
            ObjectNode told = attempts.addObject();
            for (String key : List.of("cause", "detail", "at")) {
                if (event.path(key).isTextual()) {
                    told.put(key, Sentences.shortened(event.path(key).asText(), MOST_DETAIL));
                }
            }
            nodes.forEach(told.putArray("nodes")::add);
        }
        before = running;
        unknownBefore = ranWithoutStart;
        untimedBefore = untimed;
        counted = false;
        nodes.clear();
        hooks.clear();
        machines.removeAll(); // the next attempt may run elsewhere
    }

    private void ended(JsonNode event) {
        end = Optional.of(event);
        if (!counted) {
            moment(event, "startedAt").ifPresent(this::started);
            moment(event, "endedAt").ifPresent(this::stopped);
        }
    }

    private void stopped(Instant at) {
        ranWithoutStart |= runs && start.isEmpty();
        start.map(from -> Duration.between(from, at))
                .filter(time -> !time.isNegative())
                .ifPresent(time -> running = running.plus(time));
        start = Optional.empty();
        runs = false;
    }

    /** Writes what is known into the record of {@code job}. */
    void write(ObjectNode record, JsonNode job) {
        ObjectNode outcome = record.putObject("outcome");
        end.ifPresent(event -> {
            outcome.put("word", event.path("outcome").asText("lost"));
            copy(event, outcome, "cause");
            copy(event, outcome, "exitCode");
            for (String key : List.of("detail", "remedy", "evidence")) {
                if (!event.path(key).asText().isBlank()) {
                    outcome.put(key, Sentences.shortened(event.path(key).asText(), MOST_DETAIL));
                }
            }
        });
        hooks.forEach(hook -> outcome.put(hook.which() + "ExitCode", hook.exitCode()));
        diagnosis(outcome);
        if (!front.isEmpty()) {
            record.put(RunRecord.FRONT, front);
        }
        times(record.putObject("times"), job);
        if (!attempts.isEmpty()) {
            record.set("attempts", attempts);
        }
        machines(record, job);
    }

    /** What the target found; a line of the log that shows the cause knows the remedy better. */
    private void diagnosis(ObjectNode outcome) {
        if (!cause.isBlank()) {
            outcome.put("diagnosis", Sentences.shortened(cause, MOST_DETAIL));
        }
        if (!remedy.isBlank() && !outcome.has("remedy")) {
            outcome.put("remedy", Sentences.shortened(remedy, MOST_DETAIL));
        }
        facts.forEach(outcome.withArray("/facts")::add);
    }

    private void times(ObjectNode times, JsonNode job) {
        Optional<Instant> submitted = moment(job, "submittedAt");
        submitted.ifPresent(at -> times.put("submittedAt", at.toString()));
        firstStart.ifPresent(at -> times.put("startedAt", at.toString()));
        end.flatMap(event -> moment(event, "endedAt")).ifPresent(at -> times.put("endedAt", at.toString()));
        if (submitted.isPresent() && firstStart.isPresent()) {
            times.put(
                    "queueSeconds",
                    Math.max(
                            0,
                            Duration.between(submitted.get(), firstStart.get()).toSeconds()));
        }
        Optional<Instant> last = end.flatMap(event -> moment(event, "endedAt"));
        if (Members.isArray(job) && firstStart.isPresent() && last.isPresent()) {
            times.put(
                    "runSeconds", Duration.between(firstStart.get(), last.get()).toSeconds());
        } else if (firstStart.isPresent() && !ranWithoutStart) {
            times.put("runSeconds", running.toSeconds());
        }
    }

    private void machines(ObjectNode record, JsonNode job) {
        nodes.stream().limit(MOST_NODES).forEach(machines.putArray("nodes")::add);
        copy(job, machines, "gpus");
        int asked = job.path("nodes").asInt(1);
        machines.put("nodeCount", Math.max(asked, nodes.size()));
        JsonNode seconds = record.path("times").path("runSeconds");
        int gpus = job.path("gpus").asInt(0);
        if (Members.isArray(job) && gpus > 0) { // each member has its own time on its own nodes
            if (counted) {
                machines.put(ranWithoutStart ? RunRecord.AT_LEAST : "gpuSeconds", running.toSeconds() * gpus * asked);
            }
            if (counted && untimed > 0) {
                machines.put("membersUntimed", untimed);
            }
        } else if (job.path("gpus").isInt() && seconds.isNumber()) {
            machines.put(
                    "gpuSeconds",
                    seconds.longValue() * gpus * machines.path("nodeCount").intValue());
        }
        digest = Optional.ofNullable(machines.remove("imageDigest"));
        record.set("machines", machines);
    }

    /** Which image it was, where the place has told; known once the record is written. */
    Optional<JsonNode> imageDigest() {
        return digest;
    }

    private static void copy(JsonNode from, ObjectNode to, String key) {
        if (from.has(key)) {
            to.set(key, from.get(key));
        }
    }

    private static Optional<Instant> moment(JsonNode node, String key) {
        Instant time = RecordMaker.time(node.path(key).asText());
        return time.equals(Instant.EPOCH) ? Optional.empty() : Optional.of(time);
    }
}
