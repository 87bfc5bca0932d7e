package io.jenkins.plugins.tao.backend.notebook;

import com.fasterxml.jackson.databind.JsonNode;
import io.jenkins.plugins.tao.http.BodyError;
import io.jenkins.plugins.tao.job.Ending;
import io.jenkins.plugins.tao.job.Endings;
import io.jenkins.plugins.tao.job.JobState;
import io.jenkins.plugins.tao.job.JobStatus;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads what Kaggle answers: unknown fields and words pass by, what is missing has its default. Pure. */
final class KaggleReply {
    private static final int FIRST_ERROR = 400;
    private static final Pattern TIME_OUT =
            Pattern.compile("time[d -]*out|time limit|exceeded .*(time|duration)", Pattern.CASE_INSENSITIVE);
    private static final Pattern SECONDS = Pattern.compile("(\\d{1,12})(?:\\.\\d+)?s?");
    private static final List<String> SOURCES = List.of(
            "invalidDatasetSources", "invalidCompetitionSources", "invalidModelSources", "invalidKernelSources");

    private KaggleReply() {}

    /** An error that comes with HTTP 200: its code stands in the body. */
    static Optional<BodyError> hiddenError(JsonNode body) {
        JsonNode error = body.path("error").isObject() ? body.path("error") : body;
        int code = error.path("code").isNumber() ? error.path("code").asInt() : 0;
        return code >= FIRST_ERROR
                ? Optional.of(new BodyError(code, error.path("message").asText()))
                : Optional.empty();
    }

    /** Kaggle's word for a run's state in one spelling; a missing one is the default value, {@code QUEUED}. */
    static String word(JsonNode reply) {
        String word = reply.path("status").asText("");
        String upper = word.replaceAll("([a-z])([A-Z])", "$1_$2").toUpperCase(Locale.ROOT);
        return upper.isBlank() ? "QUEUED" : upper.replaceFirst("^KERNEL_WORKER_STATUS_", "");
    }

    /** The number of a run's session, which its answers do not tell as of August 2026. */
    static OptionalLong session(JsonNode reply) {
        JsonNode number = reply.path("kernelSessionId");
        return number.canConvertToLong() && number.asLong() > 0
                ? OptionalLong.of(number.asLong())
                : OptionalLong.empty();
    }

    /** What Kaggle says of a failure; may be empty. */
    static String failure(JsonNode reply) {
        return reply.path("failureMessage").asText("").strip();
    }

    /** Whether the run is over for Kaggle, so that its log tells the rest. */
    static boolean over(String word) {
        return word.equals("COMPLETE") || word.equals("ERROR");
    }

    /** A run that is not over by {@link #over}. */
    static JobStatus live(String word) {
        return switch (word) {
            case "QUEUED", "NEW_SCRIPT" -> JobStatus.live(JobState.PENDING, word);
            case "RUNNING", "CANCEL_REQUESTED" ->
                JobStatus.live(JobState.RUNNING, word).withRuns(1);
            case "CANCEL_ACKNOWLEDGED" ->
                JobStatus.ended(Ending.CANCELLED, word).withReason("it was stopped on Kaggle");
            default -> JobStatus.live(JobState.UNCLEAR, word);
        };
    }

    /** A run that is over and left no last line of ours. */
    static JobStatus withoutEnd(String word, String failure) {
        if (word.equals("ERROR") && TIME_OUT.matcher(failure).find()) {
            return JobStatus.ended(Ending.TIME_LIMIT, word).withReason(failure);
        }
        Ending ending = Endings.of("kaggle", word).orElse(Ending.COMPLETED);
        return JobStatus.ended(ending, word)
                .withReason(failure.isEmpty() ? "the notebook left no last line of ours" : failure)
                .withRuns(1);
    }

    /** Why a push was refused, though the answer is HTTP 200. */
    static Optional<String> refusal(JsonNode reply) {
        return Optional.of(reply.path("error").asText("").strip()).filter(text -> !text.isEmpty());
    }

    /** What Kaggle could not mount; it would run without that. */
    static List<String> invalidSources(JsonNode reply, List<String> dispensable) {
        List<String> invalid = new ArrayList<>();
        SOURCES.forEach(field -> reply.path(field).forEach(source -> invalid.add(source.asText())));
        invalid.removeAll(dispensable);
        return invalid;
    }

    /** How much of the week's GPU time is left; empty when the answer does not tell. */
    static Optional<Duration> gpuTimeLeft(JsonNode quota) {
        JsonNode gpu = quota.path("gpuQuota");
        Optional<Duration> allowed = duration(gpu.path("totalTimeAllowed"));
        return allowed.map(all -> all.minus(duration(gpu.path("timeUsed")).orElse(Duration.ZERO)));
    }

    /** How much GPU time a week has. */
    static Optional<Duration> gpuTimeAllowed(JsonNode quota) {
        return duration(quota.path("gpuQuota").path("totalTimeAllowed"));
    }

    private static Optional<Duration> duration(JsonNode value) {
        JsonNode plain = value.isObject() ? value.path("seconds") : value;
        Matcher seconds = SECONDS.matcher(plain.asText("").strip());
        return seconds.matches() ? Optional.of(Duration.ofSeconds(Long.parseLong(seconds.group(1)))) : Optional.empty();
    }

    /** A file of a version's output. */
    record OutputFile(String name, String url) {}

    /** The files of one page of a version's output. */
    static List<OutputFile> files(JsonNode reply) {
        List<OutputFile> files = new ArrayList<>();
        reply.path("files")
                .forEach(file -> files.add(new OutputFile(
                        file.path("fileName").asText(file.path("name").asText()),
                        file.path("url").asText())));
        return files;
    }

    /** Where the next page begins; empty after the last. */
    static String nextPage(JsonNode reply) {
        return reply.path("nextPageToken").asText("");
    }
}
