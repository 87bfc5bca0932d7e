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
    private final Optional<Duration> limit;
    private Instant lastNews;
    private Instant lastLook;
    private boolean heard;
    private Optional<String> stalled = Optional.empty();

    /** A job that wrote nothing for {@code limit} is reported, once for each such time; never where it is empty. */
    Stall(Optional<Duration> limit, Instant now) {
        this.limit = limit;
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
            stalled = Optional.empty();
        }
        heard = false;
        Duration quiet = Duration.between(lastNews, lastLook);
        lastLook = at;
        boolean tooLong = limit.map(most -> quiet.compareTo(most) >= 0).orElse(false);
        if (stalled.isPresent() || now.state() != JobState.RUNNING || !tooLong) {
            return Optional.empty();
        }
        stalled = Optional.of(what(quiet));
        return Optional.of(new JobEvent.Notice(text(now, quiet)));
    }

    /** What is known of a job that counts as stalled now. */
    Optional<String> stalled() {
        return stalled;
    }

    private static String what(Duration quiet) {
        return "The job runs, yet neither its logs nor status.json grew for " + Durations.words(quiet) + ".";
    }

    private static String text(JobStatus now, Duration quiet) {
        String what = what(quiet) + " ";
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
