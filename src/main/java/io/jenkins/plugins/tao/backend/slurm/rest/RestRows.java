package io.jenkins.plugins.tao.backend.slurm.rest;

import com.fasterxml.jackson.databind.JsonNode;
import io.jenkins.plugins.tao.backend.slurm.options.SlurmArray;
import io.jenkins.plugins.tao.backend.slurm.poll.SlurmDiagnosis;
import io.jenkins.plugins.tao.backend.slurm.reply.SlurmState;
import io.jenkins.plugins.tao.job.JobState;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;

/**
 * Turns records of jobs, as {@code slurmrestd} has them, into the rows in which {@code squeue} and {@code sacct} tell the same:
 * one reader reads both. Numbers come plain, as {@code null} or as {@code {set, infinite, number}}, states as a word or a list.
 */
public final class RestRows {
    private static final String SEPARATOR = "\u001f";

    private RestRows() {}

    /** The rows that {@code poll.sh} asks of {@code squeue -r}, for one record; several for the rest of an array. */
    static List<String> queue(JsonNode job) {
        String tail = String.join(
                SEPARATOR,
                "",
                state(job.path("job_state")),
                reason(job.path("state_reason")),
                text(job.path("nodes")),
                time(job.path("start_time")),
                time(job.path("end_time")),
                time(job.path("submit_time")),
                text(job.path("name")));
        return ids(job).stream().map(id -> id + tail).toList();
    }

    /** The ids of one record as {@code squeue -r} prints them. */
    private static List<String> ids(JsonNode job) {
        String id = number(job.path("job_id"), "");
        String array = number(job.path("array_job_id"), "0");
        String task = number(job.path("array_task_id"), "");
        if (array.equals("0")) {
            return List.of(id);
        }
        if (!task.isEmpty()) {
            return List.of(array + "_" + task);
        }
        String rest = text(job.path("array_task_string"));
        try {
            return SlurmArray.parse(rest).members().stream()
                    .map(index -> array + "_" + index)
                    .toList();
        } catch (IllegalArgumentException e) { // a long list is cut: the row is for all that have none of their own
            return List.of(array + "_[" + rest + "]");
        }
    }

    /** The row that {@code poll.sh} asks of {@code sacct}, for one record of accounting. */
    public static String past(JsonNode job) {
        return String.join(
                SEPARATOR,
                pastId(job),
                pastState(job),
                exitCode(job.path("exit_code")),
                time(job.path("time").path("start")),
                time(job.path("time").path("end")),
                text(job.path("nodes")),
                text(job.path("name")));
    }

    private static String pastId(JsonNode job) {
        String array = number(job.path("array").path("job_id"), "0");
        String task = number(job.path("array").path("task_id"), "");
        if (array.equals("0")) {
            return number(job.path("job_id"), "");
        }
        return array + (task.isEmpty() ? "_[" + text(job.path("array").path("task")) + "]" : "_" + task);
    }

    private static String pastState(JsonNode job) {
        String state = state(job.path("state").path("current"));
        String by = text(job.path("kill_request_user"));
        return SlurmState.word(state).equals("CANCELLED") && !by.isEmpty() ? state + " by " + by : state;
    }

    /** The fields of {@link SlurmDiagnosis} that accounting has by REST; 22.05 is wrong on exit codes, so none is told. */
    static String diagnosis(JsonNode job) {
        String limit = number(job.path("time").path("limit"), "");
        return String.join(
                "|",
                pastId(job),
                pastState(job),
                "",
                "",
                number(job.path("time").path("elapsed"), "?") + " s",
                limit.isEmpty() ? "" : limit + " min",
                "",
                "",
                text(job.path("nodes")));
    }

    /** The lines {@code ID STATE REASON} in which {@code submit.sh} looks for a job by its name; of an array the id is shared. */
    static String found(JsonNode job) {
        String array = number(job.path("array_job_id"), "0");
        return (array.equals("0") ? number(job.path("job_id"), "") : array) + " " + state(job.path("job_state")) + " "
                + reason(job.path("state_reason"));
    }

    /** The same of accounting, as {@code ID|STATE|NODES}. */
    static String foundPast(JsonNode job) {
        return pastId(job) + "|" + state(job.path("state").path("current")) + "|" + text(job.path("nodes"));
    }

    /** The line {@code NAME STATE} of the list of live jobs. */
    static String live(JsonNode job) {
        return text(job.path("name")) + " " + state(job.path("job_state"));
    }

    /** Whether the controller still has the job to run or to end. */
    static boolean isLive(JsonNode job) {
        return SlurmState.of(state(job.path("job_state"))) != JobState.ENDED;
    }

    /** The line of {@code sinfo -o '%P|%l|%a'} for a partition. */
    static String partition(JsonNode partition) {
        boolean flat = partition.has("max_time_limit");
        JsonNode limit = flat
                ? partition.path("max_time_limit")
                : partition.path("maximums").path("time");
        boolean usual = StreamSupport.stream(partition.path("flags").spliterator(), false)
                .anyMatch(flag -> flag.asText("").equalsIgnoreCase("default"));
        String minutes = number(limit, "");
        boolean bounded = minutes.matches("\\d{1,9}");
        JsonNode state =
                flat ? partition.path("state") : partition.path("partition").path("state");
        return text(partition.path("name")) + (usual ? "*" : "") + "|" + (bounded ? minutes + ":00" : "infinite") + "|"
                + state(state).toLowerCase(Locale.ROOT);
    }

    /** Words joined as {@link SlurmState} reads them. */
    static String state(JsonNode words) {
        return words.isArray()
                ? StreamSupport.stream(words.spliterator(), false)
                        .map(word -> word.asText(""))
                        .collect(Collectors.joining(","))
                : text(words);
    }

    private static String reason(JsonNode reason) {
        String text = text(reason);
        return text.isEmpty() ? "None" : text.split("\\s", 2)[0];
    }

    private static String exitCode(JsonNode code) {
        JsonNode signal = code.path("signal");
        String number =
                signal.has("signal_id") ? number(signal.path("signal_id"), "0") : number(signal.path("id"), "0");
        return number(code.path("return_code"), "0") + ":" + number;
    }

    private static String time(JsonNode time) {
        String number = number(time, "0");
        return number.equals("0") ? "N/A" : number;
    }

    /** Digits; {@code otherwise} for what is not set, is infinite, or stands for no value: -2 and its kind. */
    static String number(JsonNode value, String otherwise) {
        if (value.isObject()) {
            boolean told = value.path("set").asBoolean(false)
                    && !value.path("infinite").asBoolean(false);
            return told ? number(value.path("number"), otherwise) : otherwise;
        }
        long number = value.isNumber() ? value.asLong() : -1;
        return number >= 0 && number < NO_VALUE ? Long.toString(number) : otherwise;
    }

    /** {@code NO_VAL} of slurm.h and all above: 32 bits that stand for "not set" or "no limit". */
    private static final long NO_VALUE = 0xfffffffdL;

    /** A text in one line; empty for what is none. */
    static String text(JsonNode value) {
        return value.isTextual() ? value.asText().replaceAll("[\\u001f\\n\\r]", " ") : "";
    }

    /** All rows of a list. */
    public static List<String> all(JsonNode jobs, Function<JsonNode, String> row) {
        List<String> rows = new ArrayList<>();
        jobs.forEach(job -> rows.add(row.apply(job)));
        return rows;
    }
}
