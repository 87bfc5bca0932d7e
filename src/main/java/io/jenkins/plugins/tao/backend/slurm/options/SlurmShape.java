package io.jenkins.plugins.tao.backend.slurm.options;

import static io.jenkins.plugins.tao.job.Require.require;

import io.jenkins.plugins.tao.job.Durations;
import io.jenkins.plugins.tao.job.Resources;
import io.jenkins.plugins.tao.job.text.Sentences;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import lombok.With;

/**
 * The machines a job gets, every default filled in.
 *
 * @param timeout when the command is ended, shorter than {@code wallTime}; empty for not before Slurm ends the job
 * @param warning the signal that comes before
 */
public record SlurmShape(
        @With int nodes,
        int gpusPerNode,
        int cpusPerTask,
        boolean exclusive,
        Duration wallTime,
        Optional<Duration> timeout,
        Optional<Warning> warning) {
    private static final int GPUS = 4;
    private static final int CPUS = 16;
    private static final Duration SLACK = Duration.ofMinutes(12);
    private static final Duration LAST_MOMENT = Duration.ofSeconds(30);
    private static final int TWENTIETH = 20;

    public SlurmShape {
        timeout.ifPresent(end -> require(
                end.compareTo(wallTime) < 0,
                "timeout %s must be shorter than the wall time %s, or Slurm ends the job before it",
                Durations.words(end),
                Durations.words(wallTime)));
        Duration cutOff = timeout.map(wallTime::minus).orElse(Duration.ZERO);
        warning.ifPresent(signal -> signal.check(cutOff));
    }

    /**
     * GPUs are those of each node. Where no number of nodes is given, more than one node has are taken as their sum: whole
     * nodes, as many as it needs.
     */
    public static SlurmShape of(SlurmTarget target, SlurmOptions options, Resources request) {
        int most = target.gpusPerNode();
        int gpus = request.gpusPerNode().orElse(Math.min(GPUS, most));
        require(
                request.nodes() == 1 || gpus <= most,
                "gpus counts the GPUs of each node, and no node has %d: maxGpusPerNode is %d. Ask for %d nodes with gpus: %d,"
                        + " or leave nodes out and write the sum of all nodes as gpus",
                gpus,
                most,
                request.nodes(),
                Math.min(most, Math.max(1, gpus / request.nodes())));
        int nodes = gpus > most ? Math.max(request.nodes(), (gpus + most - 1) / most) : request.nodes();
        Duration wallTime = request.wallTime().orElse(target.wallTime());
        Optional<Warning> warning = Warning.of(options.signal(), options.checkpointTime());
        return new SlurmShape(
                nodes,
                Math.min(gpus, most),
                request.cpusPerNode().orElse(CPUS),
                options.exclusive().orElse(gpus >= most),
                wallTime,
                options.timeout()
                        .or(() -> endsEarly(target, options, request, warning)
                                ? Optional.of(early(wallTime, warning))
                                : Optional.empty()),
                warning);
    }

    /**
     * Whether the command ends before the job: a job that goes back into the queue at its timeout needs the rest to do so. Of
     * the default wall time, which the user did not choose, the last part is left for a clean finish too.
     */
    private static boolean endsEarly(
            SlurmTarget target, SlurmOptions options, Resources request, Optional<Warning> warning) {
        boolean chosen = request.wallTime().isPresent() || target.time().isPresent() || warning.isPresent();
        return options.requeueOnTimeout().orElse(false) || !chosen;
    }

    /** A command that is warned is left until the last moment: it was told to come to an end by itself. */
    private static Duration early(Duration wallTime, Optional<Warning> warning) {
        if (warning.isPresent() && wallTime.compareTo(LAST_MOMENT.multipliedBy(2)) > 0) {
            return wallTime.minus(LAST_MOMENT);
        }
        Duration part = wallTime.dividedBy(TWENTIETH);
        return wallTime.minus(part.compareTo(SLACK) < 0 ? part : SLACK);
    }

    /** The machines for a person: {@code 2 nodes with 4 GPUs each}. */
    public String spokenMachines() {
        String nodesInWords = Sentences.count(nodes, "node");
        String each = nodes == 1 ? "" : " each";
        return switch (gpusPerNode) {
            case 0 -> nodesInWords + " without GPUs";
            case 1 -> nodesInWords + " with 1 GPU" + each;
            default -> nodesInWords + " with " + gpusPerNode + " GPUs" + each;
        };
    }

    /** The time limit for a person, with an end that comes before it. */
    public String spokenTime() {
        return time()
                + timeout.map(end -> ", the command ends " + Durations.words(wallTime.minus(end)) + " before that")
                        .orElse("");
    }

    /** The wall time as {@code HH:MM:00}, begun minutes counted whole. */
    public String time() {
        long minutes = wallTime.plusSeconds(59).toMinutes();
        return String.format(Locale.ROOT, "%02d:%02d:00", minutes / 60, minutes % 60);
    }
}
