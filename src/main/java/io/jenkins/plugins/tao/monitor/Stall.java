package io.jenkins.plugins.tao.monitor;

import io.jenkins.plugins.tao.job.Durations;
import io.jenkins.plugins.tao.job.JobState;
import io.jenkins.plugins.tao.job.JobStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * Notices a job that runs and says nothing. Quiet counts only as far as the last look after which its files were read,
 * so a target that was silent itself stalls no job.
 */
final class Stall {
    /** A job that wrote nothing for this long is told about, once for each stretch of quiet. */
    static final Duration QUIET = Duration.ofMinutes(30);

    private Instant lastNews;
    private Instant lastLook;
    private boolean heard;
    private boolean told;

    Stall(Instant now) {
        lastNews = now;
        lastLook = now;
    }

    /** Its logs or its {@code status.json} grew. */
    void heard() {
        heard = true;
    }

    /** To be asked at each look, before the files are read. */
    Optional<JobEvent> look(JobStatus now, Instant at) {
        if (heard || now.state() != JobState.RUNNING) {
            lastNews = heard ? lastLook : at;
            told = false;
        }
        heard = false;
        Duration quiet = Duration.between(lastNews, lastLook);
        lastLook = at;
        if (told || now.state() != JobState.RUNNING || quiet.compareTo(QUIET) < 0) {
            return Optional.empty();
        }
        told = true;
        return Optional.of(new JobEvent.Notice(text(now, quiet)));
    }

    private static String text(JobStatus now, Duration quiet) {
        String what = "The job runs, yet neither its logs nor status.json grew for " + Durations.words(quiet) + ". ";
        int nodes = now.nodes().size();
        return nodes > 1
                ? what + "On " + nodes + " nodes (" + String.join(", ", now.nodes())
                        + ") this is mostly one rank waiting for another in NCCL: suspect the network between the nodes"
                        + " (InfiniBand, NVLink fabric), not the program. Look for 'NCCL WARN' in the log, set"
                        + " NCCL_SOCKET_IFNAME and NCCL_IB_HCA to the fabric's interfaces, exclude a node that keeps"
                        + " hanging, or cancel the job."
                : what + "It may hang, or just be quiet: look at it on its node, or cancel it.";
    }
}
