package io.jenkins.plugins.tao.cli;

import io.jenkins.plugins.tao.backend.Stream;
import io.jenkins.plugins.tao.job.Attempt;
import io.jenkins.plugins.tao.job.Ending;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.JobKey;
import io.jenkins.plugins.tao.job.JobState;
import io.jenkins.plugins.tao.job.JobStatus;
import io.jenkins.plugins.tao.job.Outcome;
import io.jenkins.plugins.tao.job.Progress;
import io.jenkins.plugins.tao.monitor.JobEvent;
import io.jenkins.plugins.tao.monitor.JobResult;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.Set;

/** A job of two attempts in which everything happens that an observer can be told. */
public final class Story {
    public static final Instant BEGIN = Instant.parse("2026-11-21T08:00:00Z");
    static final JobHandle FIRST =
            new JobHandle("dgx", "slurm", new JobKey("bert-1"), 1, "4711", "/lustre/tao", "/lustre/out", BEGIN);
    static final JobHandle SECOND = FIRST.nextAttempt("4712", BEGIN.plusSeconds(900));
    static final JobStatus PENDING = JobStatus.live(JobState.PENDING, "PENDING").withReason("Priority");
    public static final JobStatus RUNNING = JobStatus.live(JobState.RUNNING, "RUNNING")
            .withNodes(List.of("gpu01", "gpu02"))
            .withTimes(Optional.of(BEGIN.plusSeconds(300)), Optional.empty());
    public static final JobEvent ADVANCED = new JobEvent.Advanced(progress(6, 0.12345), List.of(), List.of());

    private Story() {}

    static Progress progress(int epoch, double loss) {
        return new Progress(
                "RUNNING",
                "Train metrics generated.",
                OptionalDouble.of(epoch),
                OptionalDouble.of(49),
                false,
                OptionalDouble.empty(),
                OptionalDouble.empty(),
                Optional.of(Duration.ofMinutes(80)),
                Map.of("train_loss", loss));
    }

    public static List<JobEvent> events() {
        Attempt lost = new Attempt(
                1,
                "4711",
                Outcome.Cause.NODE_FAILURE,
                "node gpu01 failed (NODE_FAIL).",
                BEGIN.plusSeconds(900),
                Set.of(),
                Duration.ZERO,
                "");
        return List.of(
                new JobEvent.StatusChanged("", PENDING, Duration.ofSeconds(5)),
                new JobEvent.StatusChanged("PENDING", RUNNING, Duration.ofSeconds(300)),
                JobEvent.Lines.of(Stream.OUT, List.of("Epoch 6: loss 0.12345", "größer & \"quoted\"")),
                JobEvent.Lines.of(Stream.STATUS, List.of("{}")),
                ADVANCED,
                new JobEvent.Unreachable(BEGIN.plusSeconds(400), "No login host of dgx answers.", "Nothing to do yet."),
                new JobEvent.Reachable(Duration.ofSeconds(250)),
                new JobEvent.AttemptStarted(lost, SECOND, List.of("gpu01")),
                new JobEvent.Advanced(progress(7, Double.NaN), List.of(), List.of()),
                new JobEvent.Notice("status.json says SUCCESS since 10 minutes, yet the job still runs."),
                new JobEvent.StatusChanged(
                        "RUNNING",
                        JobStatus.ended(Ending.COMPLETED, "COMPLETED").withExitCode(0),
                        Duration.ofHours(2)),
                new JobEvent.Ended(new JobResult(
                        SECOND,
                        new Outcome.Succeeded(),
                        OptionalInt.of(0),
                        progress(49, 0.05),
                        Optional.of(BEGIN.plusSeconds(1000)),
                        BEGIN.plusSeconds(9000),
                        List.of(lost),
                        List.of(),
                        Set.of())));
    }
}
