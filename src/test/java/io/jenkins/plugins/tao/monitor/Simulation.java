package io.jenkins.plugins.tao.monitor;

import static org.assertj.core.api.Assertions.assertThat;

import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.backend.BackendTypes;
import io.jenkins.plugins.tao.backend.Target;
import io.jenkins.plugins.tao.job.Ending;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.JobState;
import io.jenkins.plugins.tao.job.JobStatus;
import io.jenkins.plugins.tao.job.Outcome;
import io.jenkins.plugins.tao.monitor.JobEvent.Ended;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** One simulated target under one real monitor, and all that was told of it. */
abstract class Simulation {
    static final Instant START = Instant.parse("2026-11-21T00:00:00Z");
    static final JobStatus PENDING = JobStatus.live(JobState.PENDING, "PENDING").withReason("Priority");
    static final JobStatus RUNNING = JobStatus.live(JobState.RUNNING, "RUNNING")
            .withNodes(List.of("gpu01"))
            .withRuns(1);
    static final JobStatus NODE_FAIL =
            JobStatus.ended(Ending.NODE_FAILURE, "NODE_FAIL").withNodes(List.of("gpu01"));

    final ManualTicker ticker = new ManualTicker(START);
    final SimulatedCluster cluster = new SimulatedCluster();
    final Target target = new SimulatedCluster.Place("sim");
    final Monitor monitor = monitor();
    final List<JobEvent> events = new ArrayList<>();
    final KeptInMemory memory = new KeptInMemory();

    Monitor monitor() {
        return new Monitor(new Connections(BackendTypes.of(cluster), ticker, Runnable::run), ticker, Runnable::run);
    }

    Watch watch(JobHandle job) {
        return monitor.watch(target, job, WatchPlan.defaults(), memory, events::add);
    }

    JobHandle given(int id, JobStatus status) {
        JobHandle job = SimulatedCluster.handle(id, ticker.now());
        cluster.set(job, status);
        return job;
    }

    <E extends JobEvent> List<E> told(Class<E> kind) {
        return events.stream().filter(kind::isInstance).map(kind::cast).toList();
    }

    Outcome outcome() {
        assertThat(told(Ended.class)).hasSize(1);
        return told(Ended.class).get(0).result().outcome();
    }

    static BackendException silence() {
        return new BackendException.Unreachable("'sim' does not answer.", "Wait.");
    }

    /** A memory as a door keeps it. */
    static final class KeptInMemory implements WatchMemory {
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
