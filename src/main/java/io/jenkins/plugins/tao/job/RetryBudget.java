package io.jenkins.plugins.tao.job;

import static io.jenkins.plugins.tao.job.Require.require;

import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What the failed attempts of a job may use together; when it is used up, no new attempt is started.
 *
 * @param text as it was written: {@code 20 GPU-hours}, or a length of time such as {@code 6h}
 */
public record RetryBudget(String text) {
    private static final Pattern GPU_HOURS = Pattern.compile("(?i)(\\d{1,7}(?:\\.\\d{1,3})?) ?GPU[- ]?h(?:ours?)?");
    private static final double SECONDS = 3600.0;

    public RetryBudget {
        text = text.strip();
        require(
                GPU_HOURS.matcher(text).matches() || Durations.parse(text).isPresent(),
                "retryBudget must be GPU-hours, as in '20 GPU-hours', or " + Durations.FORM + ", was '%s'",
                text);
    }

    /** Whether attempts that ran for {@code time} in all, on {@code gpus} GPUs each, have used it up. */
    public boolean isUsedUp(Duration time, int gpus) {
        Matcher hours = GPU_HOURS.matcher(text);
        return hours.matches()
                ? time.toSeconds() / SECONDS * gpus >= Double.parseDouble(hours.group(1))
                : time.compareTo(Durations.parse(text).orElseThrow()) >= 0;
    }
}
