package io.jenkins.plugins.tao.backend.slurm;

import static io.jenkins.plugins.tao.job.Require.require;

import io.jenkins.plugins.tao.job.Resources;
import java.time.Duration;
import java.util.Locale;

/**
 * The machines a job gets, every default filled in.
 *
 * @param timeout when the command is ended, shorter than {@code wallTime}
 */
record SlurmShape(int nodes, int gpusPerNode, int cpusPerTask, boolean exclusive, Duration wallTime, Duration timeout) {
    private static final int GPUS = 4;
    private static final int CPUS = 16;
    private static final Duration SLACK = Duration.ofMinutes(12);
    private static final int TWENTIETH = 20;

    SlurmShape {
        require(
                timeout.compareTo(wallTime) < 0,
                "timeout %s must be shorter than the wall time %s, or Slurm ends the job before it",
                timeout,
                wallTime);
    }

    /** More GPUs than one node has are taken as their sum: whole nodes, as many as it needs. */
    static SlurmShape of(SlurmTarget target, SlurmOptions options, Resources wish) {
        int most = target.gpusPerNode();
        int gpus = wish.gpusPerNode().orElse(Math.min(GPUS, most));
        int nodes = gpus > most ? Math.max(wish.nodes(), (gpus + most - 1) / most) : wish.nodes();
        Duration wallTime = wish.wallTime().orElse(target.wallTime());
        return new SlurmShape(
                nodes,
                Math.min(gpus, most),
                wish.cpusPerNode().orElse(CPUS),
                options.exclusive().orElse(gpus >= most),
                wallTime,
                options.timeout().orElse(defaultTimeout(wallTime)));
    }

    SlurmShape withNodes(int number) {
        return new SlurmShape(number, gpusPerNode, cpusPerTask, exclusive, wallTime, timeout);
    }

    private static Duration defaultTimeout(Duration wallTime) {
        Duration part = wallTime.dividedBy(TWENTIETH);
        return wallTime.minus(part.compareTo(SLACK) < 0 ? part : SLACK);
    }

    /** The wall time as {@code HH:MM:00}, begun minutes counted whole. */
    String time() {
        long minutes = wallTime.plusSeconds(59).toMinutes();
        return String.format(Locale.ROOT, "%02d:%02d:00", minutes / 60, minutes % 60);
    }
}
