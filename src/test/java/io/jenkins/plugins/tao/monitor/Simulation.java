package io.jenkins.plugins.tao.monitor;

import static org.assertj.core.api.Assertions.assertThat;

import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.backend.BackendTypes;
import io.jenkins.plugins.tao.backend.Controller;
import io.jenkins.plugins.tao.backend.Target;
import io.jenkins.plugins.tao.job.Ending;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.JobState;
import io.jenkins.plugins.tao.job.JobStatus;
import io.jenkins.plugins.tao.job.Outcome;
import io.jenkins.plugins.tao.monitor.JobEvent.Ended;
import io.jenkins.plugins.tao.monitor.poll.Connections;
import io.jenkins.plugins.tao.monitor.poll.Monitor;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** One simulated target under one real monitor, and all that was told of it. */
public abstract class Simulation {
    public static final Instant START = Instant.parse("2026-11-21T00:00:00Z");
    public static final JobStatus PENDING =
            JobStatus.live(JobState.PENDING, "PENDING").withReason("Priority");
    public static final JobStatus RUNNING = JobStatus.live(JobState.RUNNING, "RUNNING")
            .withNodes(List.of("gpu01"))
            .withRuns(1);
    public static final JobStatus NODE_FAIL =
            JobStatus.ended(Ending.NODE_FAILURE, "NODE_FAIL").withNodes(List.of("gpu01"));

    public final ManualTicker ticker = new ManualTicker(START);
    public final SimulatedCluster cluster = new SimulatedCluster();
    public final Target target = new SimulatedCluster.Place("sim");
    public final Monitor monitor = monitor();
    public final List<JobEvent> events = new ArrayList<>();
    public final KeptInMemory memory = new KeptInMemory();

    public Monitor monitor() {
        return new Monitor(
                new Connections(BackendTypes.of(cluster), ticker, Runnable::run, Controller.NONE),
                ticker,
                Runnable::run);
    }

    public Watch watch(JobHandle job) {
        return monitor.watch(target, job, WatchPlan.defaults(), memory, events::add);
    }

    public JobHandle given(int id, JobStatus status) {
        JobHandle job = SimulatedCluster.handle(id, ticker.now());
        cluster.set(job, status);
        return job;
    }

    public <E extends JobEvent> List<E> told(Class<E> kind) {
        return events.stream().filter(kind::isInstance).map(kind::cast).toList();
    }

    public Outcome outcome() {
        assertThat(told(Ended.class)).hasSize(1);
        return told(Ended.class).get(0).result().outcome();
    }

    public static BackendException silence() {
        return new BackendException.Unreachable("'sim' does not answer.", "Wait.");
    }

    /** A memory as a door keeps it. */
    public static final class KeptInMemory implements WatchMemory {
        private final Map<String, String> kept = new HashMap<>();

        @Override
        public Optional<String> load() {
            return Optional.ofNullable(kept.get("record"));
        }

        @Override
        public void save(String record) {
            kept.put("record", record);
        }
    }
}
