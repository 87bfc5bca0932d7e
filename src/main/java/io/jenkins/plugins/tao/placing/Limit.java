package io.jenkins.plugins.tao.placing;

import static io.jenkins.plugins.tao.job.Require.require;

import io.jenkins.plugins.tao.job.Durations;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What jobs of here may have on one target at a time; more wait here for their turn.
 *
 * @param target the name of the target
 * @param folder the full name of a folder of Jenkins, as in {@code vision/nightly}, where the limit is of the jobs in it and below it;
 *     empty where it is of all jobs
 * @param jobs jobs that have not ended, at least 1
 * @param gpus GPUs that they ask for together, at least 1
 * @param rate how fast jobs are sent
 * @param refused what happens to a job that the target refuses because of a limit of its own; empty for {@code FAIL}
 */
public record Limit(
        String target,
        Optional<String> folder,
        OptionalInt jobs,
        OptionalInt gpus,
        Optional<Rate> rate,
        Optional<Refused> refused) {
    /** What happens to a job that the target refuses because of a limit of its own. */
    public enum Refused {
        FAIL,
        /** It waits here and is sent again. */
        WAIT
    }

    public Limit {
        folder = folder.map(name -> name.strip().replaceAll("^/+|/+$", "")).filter(name -> !name.isEmpty());
        require(!target.isBlank(), "a limit needs 'target'");
        jobs.ifPresent(most -> require(most >= 1, "the limit of jobs on '%s' must be at least 1", target));
        gpus.ifPresent(most -> require(most >= 1, "the limit of gpus on '%s' must be at least 1", target));
        require(
                folder.isEmpty() || (rate.isEmpty() && !waits(refused)),
                "'rate' and 'refused' are of a target; the limit of folder '%s' may have 'jobs' and 'gpus'",
                folder.orElse(""));
    }

    private static boolean waits(Optional<Refused> refused) {
        return refused.equals(Optional.of(Refused.WAIT));
    }

    boolean waitWhenRefused() {
        return waits(refused);
    }

    /** The target, and the folder on it or an empty text. */
    public List<String> place() {
        return List.of(target, folder.orElse(""));
    }

    /** Whether a job in the folder of this full name counts; the name is empty for a job in none. */
    boolean covers(String name) {
        return folder.isEmpty() || name.equals(folder.get()) || name.startsWith(folder.get() + "/");
    }

    /**
     * How many jobs may be sent in a time.
     *
     * @param jobs at least 1
     * @param time at least a second
     */
    public record Rate(int jobs, Duration time) {
        private static final Pattern FORM = Pattern.compile("(\\d{1,6})\\s*/\\s*(\\d*)\\s*(s|m|h|d)");

        public Rate {
            require(jobs >= 1 && time.toSeconds() >= 1, "a rate must let at least one job pass");
        }

        /**
         * Reads {@code 10/m}, {@code 1/30s}.
         *
         * @throws IllegalArgumentException if the text is no rate
         */
        public static Rate parse(String text) {
            Matcher match = FORM.matcher(text.strip());
            require(match.matches(), "a rate is jobs by time, as in 10/m or 1/30s, was '%s'", text);
            String count = match.group(2).isEmpty() ? "1" : match.group(2);
            Duration time = Durations.parse(count + match.group(3))
                    .orElseThrow(() -> new IllegalArgumentException("'" + text + "' has no length of time"));
            return new Rate(Integer.parseInt(match.group(1)), time);
        }

        @Override
        public String toString() {
            return jobs + " in " + Durations.words(time);
        }
    }
}
