package io.jenkins.plugins.tao.jenkins.run;

import io.jenkins.plugins.tao.job.JobHandle;
import java.util.List;

/**
 * The request that a job ends, as it is kept until the target confirms it.
 *
 * @param job the job, at the attempt that ran when that was asked
 * @param build the build that asked, as Jenkins finds it again
 * @param by who asked, for people
 */
record CancelRequest(JobHandle job, String build, String by) {
    /** Reads what {@link #render} wrote. */
    static CancelRequest parse(String text) {
        List<String> lines = text.lines().toList();
        if (lines.size() < 3) {
            throw new IllegalArgumentException("'" + text + "' is no request to cancel");
        }
        return new CancelRequest(JobHandle.parse(lines.get(0)), lines.get(1), lines.get(2));
    }

    /** Three lines: token, build, who. */
    String render() {
        return job.token() + "\n" + build + "\n" + by.lines().findFirst().orElse("");
    }

    /** The job's id, the same for all attempts. */
    String id() {
        return job.key().value();
    }
}
