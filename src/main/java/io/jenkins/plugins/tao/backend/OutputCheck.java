package io.jenkins.plugins.tao.backend;

import io.jenkins.plugins.tao.backend.Report.Check;
import io.jenkins.plugins.tao.job.JobSpec;
import java.util.Optional;

/** The check of a backend that takes nothing away from the machines by itself: results lie there until they are fetched. */
public final class OutputCheck {
    private OutputCheck() {}

    /**
     * A warning when the job names outputs.
     *
     * @param place where they stay, in words: {@code a Slurm cluster}
     */
    public static Optional<Check> of(JobSpec spec, String place) {
        return spec.outputs().isEmpty()
                ? Optional.empty()
                : Optional.of(Check.warning(
                        "outputs",
                        "outputs are not taken away from " + place + ": " + String.join(", ", spec.outputs()),
                        "Write them to the results directory, and name the files to fetch in archive."));
    }
}
