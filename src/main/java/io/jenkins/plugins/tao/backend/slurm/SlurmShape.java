package io.jenkins.plugins.tao.backend.slurm;

import static io.jenkins.plugins.tao.job.Require.require;

import io.jenkins.plugins.tao.job.Resources;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;

/**
 * The machines a job gets, every default filled in.
 *
 * @param timeout when the command is ended, shorter than {@code wallTime}
 * @param warning the signal that comes before
 */
record SlurmShape(
        int nodes,
        int gpusPerNode,
        int cpusPerTask,
        boolean exclusive,
        Duration wallTime,
        Duration timeout,
        Optional<Warning> warning) {
    private static final int GPUS = 4;
    private static final int CPUS = 16;
    private static final Duration SLACK = Duration.ofMinutes(12);
    private static final Duration LAST_MOMENT = Duration.ofSeconds(30);
    private static final int TWENTIETH = 20;

    SlurmShape {
        require(
                timeout.compareTo(wallTime) < 0,
                "timeout %s must be shorter than the wall time %s, or Slurm ends the job before it",
                timeout,
                wallTime);
        warning.ifPresent(signal -> signal.check(wallTime.minus(timeout)));
    }

    /** More GPUs than one node has are taken as their sum: whole nodes, as many as it needs. */
    static SlurmShape of(SlurmTarget target, SlurmOptions options, Resources wish) {
        int most = target.gpusPerNode();
        int gpus = wish.gpusPerNode().orElse(Math.min(GPUS, most));
        int nodes = gpus > most ? Math.max(wish.nodes(), (gpus + most - 1) / most) : wish.nodes();
        Duration wallTime = wish.wallTime().orElse(target.wallTime());
        Optional<Warning> warning = Warning.of(options.signal(), options.checkpointTime());
        return new SlurmShape(
                nodes,
                Math.min(gpus, most),
                wish.cpusPerNode().orElse(CPUS),
                options.exclusive().orElse(gpus >= most),
                wallTime,
                options.timeout().orElseGet(() -> defaultTimeout(wallTime, warning)),
                warning);
    }

    SlurmShape withNodes(int number) {
        return new SlurmShape(number, gpusPerNode, cpusPerTask, exclusive, wallTime, timeout, warning);
    }

    /** A command that is warned is left until the end: it was told to come to one by itself. */
    private static Duration defaultTimeout(Duration wallTime, Optional<Warning> warning) {
        if (warning.isPresent() && wallTime.compareTo(LAST_MOMENT.multipliedBy(2)) > 0) {
            return wallTime.minus(LAST_MOMENT);
        }
        Duration part = wallTime.dividedBy(TWENTIETH);
        return wallTime.minus(part.compareTo(SLACK) < 0 ? part : SLACK);
    }

    /** The wall time as {@code HH:MM:00}, begun minutes counted whole. */
    String time() {
        long minutes = wallTime.plusSeconds(59).toMinutes();
        return String.format(Locale.ROOT, "%02d:%02d:00", minutes / 60, minutes % 60);
    }
}
