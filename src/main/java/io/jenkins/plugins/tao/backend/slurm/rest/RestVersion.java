package io.jenkins.plugins.tao.backend.slurm.rest;

import com.fasterxml.jackson.databind.JsonNode;
import io.jenkins.plugins.tao.backend.BackendException.Unreadable;
import java.time.Instant;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The version of the API in which a {@code slurmrestd} is asked. A daemon speaks several at a time; those of 22.05 are at most 38,
 * of 24.11 40 to 42, of 26.05 42 to 45.
 *
 * @param number the last part of {@code v0.0.41}
 */
record RestVersion(int number) {
    /** The first one that describes a job by the fields of {@code job_desc_msg}, with numbers as objects. */
    private static final int TYPED = 40;

    private static final int FIRST = 38;
    private static final int NEWEST = 45;
    /** The job of this one is described by neither of the two ways that we write. */
    private static final int BETWEEN = 39;

    private static final Pattern PATH = Pattern.compile("/slurm/v0\\.0\\.(\\d{1,4})/jobs/?");

    /**
     * The newest one that both sides know.
     *
     * @param service as errors name it
     * @param openapi what the daemon tells of itself
     * @throws Unreadable if there is none
     */
    static RestVersion newest(String service, JsonNode openapi) throws Unreadable {
        SortedSet<Integer> offered = new TreeSet<>();
        openapi.path("paths").fieldNames().forEachRemaining(path -> {
            Matcher version = PATH.matcher(path);
            if (version.matches()) {
                offered.add(Integer.valueOf(version.group(1)));
            }
        });
        return offered.stream()
                .filter(RestVersion::isKnown)
                .reduce((earlier, later) -> later)
                .map(RestVersion::new)
                .orElseThrow(
                        () -> new Unreadable(
                                service
                                        + " speaks none of the versions of Slurm's API that this tao-run knows, v0.0.38 and v0.0.40 to"
                                        + " v0.0." + NEWEST + "; it offers",
                                offered.isEmpty() ? "none" : spoken(offered),
                                "See that url is the address of a slurmrestd, and that it runs with the openapi plugins slurm and"
                                        + " slurmdbd of such a version; or leave rest out, and Slurm's commands are used over SSH."));
    }

    private static boolean isKnown(int number) {
        return number >= FIRST && number <= NEWEST && number != BETWEEN;
    }

    private static String spoken(SortedSet<Integer> offered) {
        return String.join(
                ", ", offered.stream().map(number -> "v0.0." + number).toList());
    }

    /** Whether jobs are described by {@code job_desc_msg}. */
    boolean isTyped() {
        return number >= TYPED;
    }

    /** A time in a query: 22.05 takes bare seconds for no time at all. */
    String time(Instant time) {
        return (isTyped() ? "" : "uts") + time.getEpochSecond();
    }

    @Override
    public String toString() {
        return "v0.0." + number;
    }
}
