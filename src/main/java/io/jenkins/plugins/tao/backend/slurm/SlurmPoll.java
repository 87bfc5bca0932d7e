package io.jenkins.plugins.tao.backend.slurm;

import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.remote.ShellCommand;
import java.util.Collection;
import java.util.stream.Collectors;

/** The shell text of one look at many jobs: one {@code squeue}, at most one {@code sacct}, one {@code grep}. It
 * follows the functions of leases. */
final class SlurmPoll {
    private static final String PROGRAM = ShellText.load("poll.sh");

    private SlurmPoll() {}

    static String render(Collection<JobHandle> jobs) {
        ShellCommand notes = ShellCommand.of("set", "--");
        jobs.forEach(job -> notes.word(SlurmLayout.of(job).record(job)));
        String ids = jobs.stream()
                .map(JobHandle::nativeId)
                .filter(id -> id.matches("\\d+"))
                .distinct()
                .collect(Collectors.joining(","));
        return String.join("\n", "ids=" + ids, notes.render(), PROGRAM);
    }

    /** Removes what the frames of ended jobs could not: a killed one tidies up nothing. */
    static String tidy(Collection<JobHandle> ended) {
        ShellCommand remove = ShellCommand.of("rm", "-f", "--");
        ended.forEach(job -> remove.word(SlurmLayout.of(job).secrets(job.key(), job.attempt())));
        return remove.render();
    }
}
