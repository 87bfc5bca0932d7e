package io.jenkins.plugins.tao.backend.slurm.poll;

import static io.jenkins.plugins.tao.remote.shell.ShellCommand.quote;

import io.jenkins.plugins.tao.backend.slurm.options.ArrayId;
import io.jenkins.plugins.tao.backend.slurm.options.SlurmLayout;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.text.OwnFile;
import io.jenkins.plugins.tao.remote.shell.ShellCommand;
import java.util.Collection;
import java.util.stream.Collectors;

/** The shell text of one look at many jobs: one {@code squeue}, at most one {@code sacct}, one {@code grep}. It
 * follows the functions of leases. */
public final class SlurmPoll {
    private static final String PROGRAM = OwnFile.text(SlurmPoll.class, "poll.sh");

    private SlurmPoll() {}

    public static String render(Collection<JobHandle> jobs) {
        ShellCommand notes = ShellCommand.of("set", "--");
        jobs.forEach(job -> notes.word(SlurmLayout.of(job).record(job)));
        String ids = jobs.stream()
                .map(ArrayId::whole)
                .filter(id -> id.matches("\\d+"))
                .distinct()
                .collect(Collectors.joining(","));
        String counts = jobs.stream()
                .flatMap(job -> ArrayId.of(job).stream())
                .map(array -> array.id() + "=" + array.array().members().size())
                .distinct()
                .collect(Collectors.joining(" "));
        return String.join("\n", "ids=" + ids, "counts=" + quote(counts), memberRecords(jobs), notes.render(), PROGRAM);
    }

    /**
     * A function that tells the notes of all members, those of earlier attempts too. A shell's own {@code printf} takes more
     * files than a command line.
     */
    static String memberRecords(Collection<JobHandle> jobs) {
        String globs = jobs.stream()
                .filter(job -> ArrayId.of(job).isPresent())
                .map(job -> quote(SlurmLayout.of(job).records(job.key())) + "[0-9]*_[0-9]*")
                .distinct()
                .collect(Collectors.joining(" "));
        return "member_records() { printf '%s\\000' " + globs + " | xargs -0 grep -sH '^run=' --; }";
    }

    /** Removes what the frames of ended jobs could not: a killed one tidies up nothing. */
    public static String tidy(Collection<JobHandle> ended) {
        ShellCommand remove = ShellCommand.of("rm", "-f", "--");
        ended.forEach(job -> remove.word(SlurmLayout.of(job).secrets(job.key(), job.attempt())));
        return remove.render()
                + ended.stream()
                        .map(job -> " " + quote(job.resultsDirectory()) + "/.tao/code/*.key")
                        .collect(Collectors.joining());
    }
}
