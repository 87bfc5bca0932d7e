package io.jenkins.plugins.tao.backend.slurm.rest;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The {@code errors} of one answer of {@code slurmrestd}. An answer that has some is not whole, whatever its HTTP status: a list
 * beside them says nothing. Version 22.05 calls the number {@code error_number}, {@code error_code} or {@code errno}.
 *
 * @param numbers Slurm's codes
 * @param words what they say, each thing once
 */
record RestErrors(List<Integer> numbers, List<String> words) {
    /** {@code ESLURM_INVALID_JOB_ID}: the controller knows no such job. */
    private static final int INVALID_JOB_ID = 2017;
    /** {@code ESLURM_REST_EMPTY_RESULT}: accounting has nothing. */
    private static final int EMPTY_RESULT = 9003;
    /** {@code ESLURM_PROTOCOL_AUTH}: what a daemon says of a token that is wrong or has run out. */
    private static final int PROTOCOL_AUTH = 1007;

    /** {@code ESLURM_ACCESS_DENIED}. */
    private static final int ACCESS_DENIED = 2002;
    /**
     * Without an answer of the controller: Linux' errors of connections, Slurm's of communication, a state that could not be written, a
     * controller in standby.
     *
     * @see <a href="https://github.com/SchedMD/slurm/blob/master/slurm/slurm_errno.h">slurm_errno.h</a>, read in 2026-11
     */
    private static final Pattern AWAY =
            Pattern.compile("4|11|32|10[0-4]|11[0-5]|1[0-8]\\d\\d|2019|2022|2027|2131|50\\d\\d|60\\d\\d");

    private static final List<String> NUMBERS = List.of("error_number", "error_code", "errno");

    /** Reads them; none where the answer has none. */
    static RestErrors of(JsonNode answer) {
        List<Integer> numbers = new ArrayList<>();
        Set<String> words = new LinkedHashSet<>();
        for (JsonNode error : answer.path("errors")) {
            NUMBERS.stream()
                    .filter(error::has)
                    .findFirst()
                    .ifPresent(name -> numbers.add(error.path(name).asInt()));
            for (String name : List.of("description", "error")) {
                String text = error.path(name).asText("").strip();
                if (!text.isEmpty() && !text.equals("null")) {
                    words.add(text);
                }
            }
        }
        return new RestErrors(numbers, List.copyOf(words));
    }

    /** Whether no controller answered, whatever the words are. */
    boolean isAway() {
        return numbers.stream()
                .anyMatch(number -> AWAY.matcher(Integer.toString(number)).matches());
    }

    /** Whether no number shows if a controller answered: a plugin of the site also refuses with {@code SLURM_ERROR}, which is -1. */
    boolean isUnclear() {
        return !isAway() && numbers.stream().noneMatch(number -> number > 0);
    }

    /** Whether the controller does not let the user do it. */
    boolean isDenied() {
        return only(ACCESS_DENIED);
    }

    boolean isEmpty() {
        return numbers.isEmpty() && words.isEmpty();
    }

    /** Whether the controller answered that there is no such job, and nothing else was wrong. */
    boolean isUnknownJob() {
        return only(INVALID_JOB_ID) || (numbers.isEmpty() && words.equals(List.of("Invalid job id specified")));
    }

    /** Whether accounting answered that it has nothing. */
    boolean isNothingFound() {
        return only(EMPTY_RESULT);
    }

    /** Whether a daemon refused the token. */
    boolean isToken() {
        return numbers.contains(PROTOCOL_AUTH)
                || words.stream().anyMatch(text -> text.contains("authentication") || text.contains("Authentication"));
    }

    /** Whether there is no accounting to ask. */
    boolean isWithoutAccounting() {
        return words.stream().anyMatch(text -> text.contains("accounting storage is disabled"));
    }

    /** Slurm's words in one line. */
    String text() {
        return words.isEmpty() ? "no reason given" : String.join("; ", words);
    }

    private boolean only(int number) {
        return !numbers.isEmpty() && numbers.stream().allMatch(each -> each == number);
    }
}
