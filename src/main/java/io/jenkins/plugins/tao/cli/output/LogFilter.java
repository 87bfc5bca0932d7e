package io.jenkins.plugins.tao.cli.output;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import lombok.AccessLevel;
import lombok.RequiredArgsConstructor;

/**
 * Which lines of a log are shown, one after the other: those of one rank, those that a pattern is found in, those from a time on.
 * A line that does not say its rank or its time belongs to the one before it, as the lines of a stack trace do.
 */
@RequiredArgsConstructor(access = AccessLevel.PACKAGE)
public final class LogFilter {
    /** As several pods, nodes and workers mark their lines, and torchrun of any version those of its processes. */
    private static final Pattern RANK = Pattern.compile("^\\[(?:worker |rank ?|default)?(\\d{1,5})](?:[: ]|$)");

    private static final Pattern TIME = Pattern.compile(
            "(?:^|[\\s\\[(|\"])(\\d{4}-\\d\\d-\\d\\d)[T ](\\d\\d:\\d\\d:\\d\\d)(?:[.,]\\d{1,9})?(Z|[+-]\\d\\d:?\\d\\d)?");
    private static final int WHERE_TIMES_STAND = 120;

    private final OptionalInt rank;
    private final Optional<Pattern> grep;
    private final Optional<Instant> since;
    private boolean workers;
    private boolean ranked;
    private boolean timed;
    private int lastRank;
    private Optional<Instant> lastTime = Optional.empty();

    public boolean isEmpty() {
        return rank.isEmpty() && grep.isEmpty() && since.isEmpty();
    }

    /** Whether the next line is shown. */
    public boolean shows(String line) {
        boolean ofRank = isOfRank(line); // rank and time of a line hold for the lines after it, shown or not
        boolean late = isLate(line);
        return ofRank
                && late
                && grep.map(pattern -> pattern.matcher(line).find()).orElse(true);
    }

    private boolean isOfRank(String line) {
        if (rank.isEmpty()) {
            return true;
        }
        Matcher own = RANK.matcher(line);
        if (own.find()) {
            ranked = true;
            lastRank = Integer.parseInt(own.group(1));
        } else if (workers) {
            lastRank = 0;
        }
        return lastRank == rank.getAsInt();
    }

    private boolean isLate(String line) {
        if (since.isEmpty()) {
            return true;
        }
        time(line).ifPresent(at -> {
            timed = true;
            lastTime = Optional.of(at);
        });
        return lastTime.map(at -> !at.isBefore(since.get())).orElse(false);
    }

    /** For a log in which only workers but the first mark their lines. */
    LogFilter ofWorkers() {
        workers = true;
        return this;
    }

    /** A time without a zone is taken for UTC, as containers have it. */
    private static Optional<Instant> time(String line) {
        Matcher found = TIME.matcher(line.substring(0, Math.min(line.length(), WHERE_TIMES_STAND)));
        if (!found.find()) {
            return Optional.empty();
        }
        try {
            String local = found.group(1) + "T" + found.group(2);
            String zone = found.group(3);
            return Optional.of(
                    zone == null
                            ? LocalDateTime.parse(local).toInstant(ZoneOffset.UTC)
                            : OffsetDateTime.parse(local + zone.replaceFirst("^([+-]\\d\\d)(\\d\\d)$", "$1:$2"))
                                    .toInstant());
        } catch (DateTimeException e) {
            return Optional.empty();
        }
    }

    /** What a person should know of what was asked and could not be told from this log; empty when nothing. */
    public Optional<String> lacking() {
        if (rank.isPresent() && !ranked && !workers && rank.getAsInt() > 0) {
            return Optional.of(
                    "no line of this log says its rank: where a job has one node, the training itself must mark them,"
                            + " as torchrun does with --tee 3, or where the job's env has PET_TEE: '3'");
        }
        return since.isPresent() && !timed
                ? Optional.of("no line of this log says its time, so that --since shows none")
                : Optional.empty();
    }
}
