package io.jenkins.plugins.tao.monitor;

import io.jenkins.plugins.tao.backend.Stream;
import io.jenkins.plugins.tao.job.Attempt;
import io.jenkins.plugins.tao.job.GpuUse;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.JobStatus;
import io.jenkins.plugins.tao.job.Progress;
import io.jenkins.plugins.tao.status.MetricPoint;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;

/** What a watch tells its observer, in the order things were seen. */
public sealed interface JobEvent {
    /**
     * The state, the backend's word or its reason is another than before.
     *
     * @param before the last word known, empty at first sight
     * @param inState how long it was in the state before
     */
    record StatusChanged(String before, JobStatus now, Duration inState) implements JobEvent {}

    /**
     * Whole lines of a log; carriage returns folded, at most a bounded number at a time.
     *
     * @param text all of them, each with the line end {@code \n}
     */
    record Lines(Stream stream, String text) implements JobEvent {
        public static Lines of(Stream stream, List<String> lines) {
            return new Lines(stream, lines.isEmpty() ? "" : String.join("\n", lines) + "\n");
        }

        /** The lines, without line ends. */
        public List<String> lines() {
            return text.lines().toList();
        }
    }

    /**
     * {@code status.json} has told something new.
     *
     * @param measured the metrics that it told since the last event, in their order
     * @param lines its whole lines that were read, in their order
     */
    record Advanced(Progress progress, List<MetricPoint> measured, List<String> lines) implements JobEvent {
        public Advanced {
            lines = List.copyOf(lines);
            measured = List.copyOf(measured);
        }
    }

    /**
     * What the node tells of the machine, all that is known so far.
     *
     * @param facts by the names of a run record: {@code gpuType}, {@code driver}, {@code cuda}, {@code imageDigest}
     */
    record Machine(Map<String, String> facts) implements JobEvent {
        public Machine {
            facts = Map.copyOf(facts);
        }
    }

    /** New samples of the use of its GPUs, the oldest first. */
    record GpusUsed(List<GpuUse> samples) implements JobEvent {
        public GpusUsed {
            samples = List.copyOf(samples);
        }
    }

    /** No word since {@code since}; told after half a minute and then every ten. The job stays watched. */
    record Unreachable(Instant since, String what, String remedy) implements JobEvent {
        public Unreachable {
            since = since.truncatedTo(ChronoUnit.SECONDS);
        }
    }

    /** The place answers again after this long. */
    record Reachable(Duration silence) implements JobEvent {}

    /** Something to tell a person once, such as an answer that could not be read. */
    record Notice(String text) implements JobEvent {}

    /** Nothing but log lines was told for five minutes; where the job stands, such as {@code RUNNING 3h5m on gpu01}. */
    record Still(String where) implements JobEvent {}

    /**
     * A requested end was refused, and the request is dropped: another controller holds the job, or a permission is lacking. It
     * stays watched.
     */
    record CancelRefused(String what, String remedy) implements JobEvent {}

    /**
     * An attempt ended by fault of the machines, and the next one has been started.
     *
     * @param avoided the nodes that the next one was asked to avoid, the last that failed first
     */
    record AttemptStarted(Attempt ended, JobHandle next, List<String> avoided) implements JobEvent {
        public AttemptStarted {
            avoided = List.copyOf(avoided);
        }
    }

    /** The last event. */
    record Ended(JobResult result) implements JobEvent {}
}
