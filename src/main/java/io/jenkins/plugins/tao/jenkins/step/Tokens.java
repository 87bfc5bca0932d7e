package io.jenkins.plugins.tao.jenkins.step;

import io.jenkins.plugins.tao.jenkins.config.FormText;
import io.jenkins.plugins.tao.jenkins.run.TaoJob;
import io.jenkins.plugins.tao.job.JobHandle;
import java.util.List;
import java.util.stream.Collectors;

/** Jobs as steps take them: the value of {@code taoSubmit}, a token, or a list of these. */
final class Tokens {
    private Tokens() {}

    /** A job's token; anything else is left as it is. */
    static Object of(Object value) {
        return value instanceof TaoJob job ? job.getToken() : value;
    }

    /**
     * Reads tokens, one a line.
     *
     * @throws IllegalArgumentException if there is none, or one is damaged
     */
    static List<JobHandle> parse(String lines) {
        List<JobHandle> jobs =
                FormText.lines(lines).stream().map(JobHandle::parse).toList();
        if (jobs.isEmpty()) {
            throw new IllegalArgumentException("Give a job, as taoSubmit returned it, or its token.");
        }
        return jobs;
    }

    /** {@code dgx/4711, dgx/4712}, or the text itself where it holds no tokens. */
    static String shortNames(String lines) {
        try {
            return parse(lines).stream().map(JobHandle::shortName).collect(Collectors.joining(", "));
        } catch (IllegalArgumentException e) {
            return lines;
        }
    }
}
