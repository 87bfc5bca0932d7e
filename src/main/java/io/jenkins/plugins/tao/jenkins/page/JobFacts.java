package io.jenkins.plugins.tao.jenkins.page;

import java.time.DateTimeException;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/** What the pages show of a job beside its state, as texts by name; a name that is absent is not known. Never changed. */
public record JobFacts(Map<String, String> texts) {
    /** {@code PENDING}, {@code RUNNING}, {@code PAUSED}, {@code UNCLEAR} or {@code ENDED}. */
    public static final String PHASE = "phase";
    /** When the command of the attempt started, as in {@code 2026-01-31T12:00:00Z}. */
    public static final String STARTED = "startedAt";
    /** When the job ended, or its end was seen. */
    public static final String ENDED = "endedAt";
    /** The machines, separated by commas. */
    public static final String NODES = "nodes";
    /** The part that is done, 0 to 1. */
    public static final String FRACTION = "fraction";
    /** When the training itself expects to end. */
    public static final String ETA = "etaAt";
    /** The exit code of the payload. */
    public static final String EXIT_CODE = "exitCode";
    /** How long it waited in all, in seconds. */
    public static final String QUEUE_SECONDS = "queueSeconds";
    /** How long it ran in all attempts, in seconds. */
    public static final String RUN_SECONDS = "runSeconds";
    /** GPU-seconds of all attempts. */
    public static final String GPU_SECONDS = "gpuSeconds";
    /** The network and the action, such as {@code dino train}. */
    public static final String WORK = "work";
    /** The values of the cell of a sweep that it is, such as {@code lr=0.1, seed=2}. */
    public static final String CELL = "cell";
    /** The name of the sweep that it belongs to. */
    public static final String SWEEP = "sweep";
    /** In front of the name of each metric. */
    public static final String KPI = "kpi/";

    /** Nothing is known. */
    public static final JobFacts NONE = new JobFacts(Map.of());

    /** These facts; blank ones are left out. */
    public JobFacts {
        Map<String, String> known = new LinkedHashMap<>(texts);
        known.values().removeIf(String::isBlank);
        texts = Collections.unmodifiableMap(known);
    }

    /** The same with {@code more} laid over it: a blank text removes what was known. */
    JobFacts with(Map<String, String> more) {
        Map<String, String> merged = new LinkedHashMap<>(texts);
        merged.putAll(more);
        return new JobFacts(merged);
    }

    /** What has to be laid over {@code before} to come to this. */
    Map<String, String> since(JobFacts before) {
        Map<String, String> changed = new LinkedHashMap<>();
        texts.forEach((name, text) -> {
            if (!text.equals(before.texts.get(name))) {
                changed.put(name, text);
            }
        });
        before.texts.keySet().stream().filter(name -> !texts.containsKey(name)).forEach(name -> changed.put(name, ""));
        return changed;
    }

    /** One of them; empty when it is not known. */
    String text(String name) {
        return texts.getOrDefault(name, "");
    }

    /** The moment of this name; empty when it is not known or cannot be read. */
    Optional<Instant> moment(String name) {
        try {
            return Optional.of(Instant.parse(text(name)));
        } catch (DateTimeException e) {
            return Optional.empty();
        }
    }

    /** The number of this name; empty when it is not known or cannot be read. */
    OptionalDouble number(String name) {
        try {
            return OptionalDouble.of(Double.parseDouble(text(name)));
        } catch (NumberFormatException e) {
            return OptionalDouble.empty();
        }
    }

    /** The machines. */
    List<String> nodes() {
        String names = text(NODES);
        return names.isEmpty() ? List.of() : List.of(names.split(","));
    }

    /** The newest value of each metric as text, by name. */
    Map<String, String> kpis() {
        Map<String, String> kpis = new LinkedHashMap<>();
        texts.forEach((name, text) -> {
            if (name.startsWith(KPI)) {
                kpis.put(name.substring(KPI.length()), text);
            }
        });
        return kpis;
    }
}
