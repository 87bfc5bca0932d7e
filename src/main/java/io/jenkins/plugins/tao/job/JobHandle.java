package io.jenkins.plugins.tao.job;

import static io.jenkins.plugins.tao.job.Require.require;

import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.StringJoiner;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import lombok.AccessLevel;
import lombok.With;

/**
 * Finds one attempt of a job again, from any process and after any restart.
 *
 * @param target the name of the configured place that runs it
 * @param backend the type of that place, such as {@code slurm}
 * @param key the user's job id, the same for all attempts
 * @param attempt counts from 1
 * @param nativeId the backend's own id, such as a Slurm job id
 * @param jobDirectory where the backend staged the job, absolute
 * @param resultsDirectory where the job writes its results, absolute
 * @param submittedAt when the backend took it, exact to the second
 * @param firstAt when the backend took the first attempt, exact to the second; empty for that one, and in tokens of versions that did not
 *     note it
 * @param startWithin how long each attempt may wait for machines; empty for any time
 * @param timeLimit how long each attempt may run; empty where that is not known
 * @param gpus the GPUs that it asked for on all of its nodes; empty where the target chooses, and in tokens that do not tell
 * @param retryBudget what its failed attempts may use together; empty for no limit
 */
public record JobHandle(
        String target,
        String backend,
        JobKey key,
        @With(AccessLevel.PRIVATE) int attempt,
        @With(AccessLevel.PRIVATE) String nativeId,
        String jobDirectory,
        String resultsDirectory,
        @With(AccessLevel.PRIVATE) Instant submittedAt,
        @With(AccessLevel.PRIVATE) Optional<Instant> firstAt,
        @With Optional<Duration> startWithin,
        @With Optional<Duration> timeLimit,
        @With OptionalInt gpus,
        @With Optional<RetryBudget> retryBudget) {
    private static final Pattern TOKEN = Pattern.compile("tao1:([a-z]+):([^:?]+):([^:?]+)\\?(.*)");

    public JobHandle {
        require(!target.isBlank(), "target must not be empty");
        require(backend.matches("[a-z]+"), "backend must be lower-case letters, was '%s'", backend);
        require(attempt >= 1, "attempt must be at least 1, was %d", attempt);
        require(!nativeId.isBlank(), "nativeId must not be empty");
        submittedAt = Instant.ofEpochSecond(submittedAt.getEpochSecond());
    }

    /** The generated hash takes a cold JVM 10 ms. */
    @Override
    public int hashCode() {
        return nativeId.hashCode();
    }

    /** A job that may wait as long as it takes, and whose time limit is not known. */
    public JobHandle(
            String target,
            String backend,
            JobKey key,
            int attempt,
            String nativeId,
            String jobDirectory,
            String resultsDirectory,
            Instant submittedAt) {
        this(
                target,
                backend,
                key,
                attempt,
                nativeId,
                jobDirectory,
                resultsDirectory,
                submittedAt,
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                OptionalInt.empty(),
                Optional.empty());
    }

    /** Whether it asked for GPUs, or may have some. */
    public boolean mayHaveGpus() {
        return gpus.orElse(1) > 0;
    }

    /** The text form, one line without blanks, safe to log: {@code tao1:slurm:dgx:4711?key=…}. */
    public String token() {
        StringJoiner query = new StringJoiner("&");
        query.add("key=" + encode(key.value()));
        query.add("attempt=" + attempt);
        query.add("job=" + encode(jobDirectory));
        query.add("results=" + encode(resultsDirectory));
        query.add("at=" + submittedAt.getEpochSecond());
        firstAt.ifPresent(time -> query.add("first=" + time.getEpochSecond()));
        startWithin.ifPresent(time -> query.add("within=" + time.toSeconds()));
        timeLimit.ifPresent(time -> query.add("limit=" + time.toSeconds()));
        gpus.ifPresent(count -> query.add("gpus=" + count));
        retryBudget.ifPresent(budget -> query.add("budget=" + encode(budget.text())));
        return "tao1:" + backend + ":" + encode(target) + ":" + encode(nativeId) + "?" + query;
    }

    /**
     * Reads what {@link #token} wrote; parameters it does not know pass by.
     *
     * @throws IllegalArgumentException if the text is no token
     */
    public static JobHandle parse(String token) {
        Matcher match = TOKEN.matcher(token.strip());
        require(match.matches(), "'%s' is not a job token; it starts with tao1: and is printed by taoSubmit", token);
        Map<String, String> query = parseQuery(match.group(4), token);
        return new JobHandle(
                decode(match.group(2)),
                match.group(1),
                new JobKey(field(query, "key", token)),
                (int) number(query, "attempt", token),
                decode(match.group(3)),
                field(query, "job", token),
                field(query, "results", token),
                Instant.ofEpochSecond(number(query, "at", token)),
                seconds(query, "first", token).map(time -> Instant.EPOCH.plus(time)),
                seconds(query, "within", token),
                seconds(query, "limit", token),
                query.containsKey("gpus") ? OptionalInt.of((int) number(query, "gpus", token)) : OptionalInt.empty(),
                Optional.ofNullable(query.get("budget")).map(RetryBudget::new));
    }

    private static Optional<Duration> seconds(Map<String, String> query, String name, String token) {
        return query.containsKey(name) ? Optional.of(Duration.ofSeconds(number(query, name, token))) : Optional.empty();
    }

    /** When the first attempt was taken: what the job wrote since is its own. */
    public Instant begunAt() {
        return firstAt.orElse(submittedAt);
    }

    /** The next attempt of the same job under its new native id. */
    public JobHandle nextAttempt(String newNativeId, Instant at) {
        return withFirstAt(Optional.of(begunAt()))
                .withAttempt(attempt + 1)
                .withNativeId(newNativeId)
                .withSubmittedAt(at);
    }

    /** {@code dgx/4711}, as logs name it. */
    public String shortName() {
        return target + "/" + nativeId;
    }

    private static Map<String, String> parseQuery(String text, String token) {
        Map<String, String> query = new LinkedHashMap<>();
        for (String pair : text.split("&", -1)) {
            int equals = pair.indexOf('=');
            require(equals > 0, "job token '%s' is damaged near '%s'; copy it again as a whole", token, pair);
            query.put(pair.substring(0, equals), decode(pair.substring(equals + 1)));
        }
        return query;
    }

    private static String field(Map<String, String> query, String name, String token) {
        String value = query.get(name);
        if (value == null) {
            throw new IllegalArgumentException(
                    "job token '" + token + "' has no " + name + "; copy it again as a whole");
        }
        return value;
    }

    private static long number(Map<String, String> query, String name, String token) {
        String value = field(query, name, token);
        require(value.matches("\\d{1,18}"), "job token '%s' has the %s '%s', which is no number", token, name, value);
        return Long.parseLong(value);
    }

    private static String encode(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    private static String decode(String text) {
        return URLDecoder.decode(text, StandardCharsets.UTF_8);
    }
}
