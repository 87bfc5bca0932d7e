package io.jenkins.plugins.tao.backend.slurm.poll;

import io.jenkins.plugins.tao.backend.slurm.options.SlurmLayout;
import io.jenkins.plugins.tao.backend.slurm.reply.ExitRecord;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.JobState;
import io.jenkins.plugins.tao.job.JobStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** The runs of jobs that Slurm put back into the queue, as {@code sacct --duplicates} lists them: a row each, of other jobs too. */
record AccountedRuns(List<String> rows) {
    private static final int FIELDS = 7;

    /** A run that has ended. */
    private record Run(Instant start, Instant end) {}

    /**
     * The status of a job that has ended, with the time of all its runs. The last run's times are the status's own, because accounting may lag
     * behind; where it lacks one of the runs before, the status stays as it was.
     */
    JobStatus counted(JobHandle job, JobStatus last) {
        if (last.state() != JobState.ENDED
                || last.runs() < 2
                || last.startedAt().isEmpty()
                || last.endedAt().isEmpty()) {
            return last;
        }
        Instant start = last.startedAt().get();
        List<Run> before = rows.stream()
                .map(row -> row.split(SlurmReply.SEPARATOR, FIELDS))
                .filter(row -> row.length == FIELDS && row[0].strip().equals(job.nativeId()))
                .filter(row -> row[FIELDS - 1].equals(SlurmLayout.jobName(job.key())))
                .flatMap(row -> run(row).stream())
                .filter(run -> run.start().isBefore(start))
                .toList();
        Duration ran = before.stream()
                .map(run -> Duration.between(run.start(), run.end()))
                .reduce(Duration.between(start, last.endedAt().get()), Duration::plus);
        return before.size() < last.runs() - 1 ? last : last.withRan(ran);
    }

    private static Optional<Run> run(String[] row) {
        return ExitRecord.epoch(row[3])
                .flatMap(start -> ExitRecord.epoch(row[4]).map(end -> new Run(start, end)));
    }
}
