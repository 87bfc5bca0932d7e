package io.jenkins.plugins.tao.cost;

import io.jenkins.plugins.tao.job.text.Suggestions;
import io.jenkins.plugins.tao.record.RunOrigin;
import io.jenkins.plugins.tao.record.RunRecord;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** What runs are grouped by. */
public enum Dimension {
    /** The Jenkins job, or the name in the job file. */
    JOB,
    /** One build of a job. */
    BUILD,
    /** The folder of the Jenkins job; a job at the top has none. */
    FOLDER,
    /** Who started it. */
    USER,
    /** The month of the submission, UTC, such as {@code 2026-11}. */
    MONTH,
    /** Where it ran. */
    TARGET,
    /** The kind of GPU, as the node reported it. */
    GPU;

    private static final DateTimeFormatter YEAR_MONTH =
            DateTimeFormatter.ofPattern("uuuu-MM", Locale.ROOT).withZone(ZoneOffset.UTC);

    /** As a table names it. */
    public String key() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The value of one run; empty when its record does not have it. */
    public Optional<String> of(RunRecord run) {
        return switch (this) {
            case JOB -> run.origin().fact(RunOrigin.JOB);
            case BUILD -> run.text("origin/build");
            case FOLDER -> folder(run);
            case USER -> run.origin().fact(RunOrigin.USER);
            case MONTH -> run.text("times/submittedAt").map(at -> month(run.submittedAt()));
            case TARGET -> run.text("target");
            case GPU -> run.text("machines/gpuType");
        };
    }

    /** The month of {@code at}, UTC, such as {@code 2026-11}. */
    public static String month(Instant at) {
        return YEAR_MONTH.format(at);
    }

    private static Optional<String> folder(RunRecord run) {
        return run.origin()
                .fact(RunOrigin.JOB)
                .filter(job -> job.contains("/"))
                .map(job -> job.substring(0, job.lastIndexOf('/')));
    }

    /**
     * Reads a list such as {@code target,month}.
     *
     * @throws IllegalArgumentException with the names there are
     */
    public static List<Dimension> parse(String text) {
        List<Dimension> dimensions = new ArrayList<>();
        for (String word : text.split(",", -1)) {
            String name = word.strip().toUpperCase(Locale.ROOT);
            Dimension dimension = Arrays.stream(values())
                    .filter(value -> value.name().equals(name))
                    .findFirst()
                    .orElseThrow(() -> new IllegalArgumentException("runs cannot be grouped by '" + word.strip() + "'. "
                            + Suggestions.advice(
                                    word,
                                    Arrays.stream(values()).map(Dimension::key).toList(),
                                    "words")));
            if (!dimensions.contains(dimension)) {
                dimensions.add(dimension);
            }
        }
        return dimensions;
    }
}
