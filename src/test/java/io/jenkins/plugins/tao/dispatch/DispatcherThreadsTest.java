package io.jenkins.plugins.tao.dispatch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.jenkins.plugins.tao.backend.BackendTypes;
import io.jenkins.plugins.tao.job.Ending;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.JobState;
import io.jenkins.plugins.tao.job.JobStatus;
import io.jenkins.plugins.tao.monitor.JobEvent;
import io.jenkins.plugins.tao.monitor.JobObserver;
import io.jenkins.plugins.tao.monitor.SimulatedCluster;
import io.jenkins.plugins.tao.monitor.SimulatedCluster.Place;
import io.jenkins.plugins.tao.monitor.WatchMemory;
import io.jenkins.plugins.tao.monitor.WatchPlan;
import java.time.Instant;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** On real threads and the real clock. */
class DispatcherThreadsTest {
    private final SimulatedCluster quick = new SimulatedCluster();
    private final SimulatedCluster slow = new SimulatedCluster();
    private final CountDownLatch latch = new CountDownLatch(1);
    private final Dispatcher dispatcher = Dispatcher.start(BackendTypes.of(quick));

    @AfterEach
    void close() {
        latch.countDown();
        dispatcher.close();
    }

    private void watch(String target, JobHandle job, JobObserver observer) {
        dispatcher.watch(new Place(target), job, WatchPlan.defaults(), WatchMemory.none(), observer);
    }

    private static long pollThreads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("tao-run"))
                .count();
    }

    @Test
    void aHangingTargetDelaysOnlyItsOwnJobs() {
        quick.also("slow", slow);
        slow.hangOn(latch);
        JobHandle stuck = SimulatedCluster.handle(1, Instant.EPOCH);
        JobHandle fine = SimulatedCluster.handle(2, Instant.EPOCH);
        quick.set(fine, JobStatus.ended(Ending.COMPLETED, "COMPLETED").withExitCode(0));
        AtomicBoolean ended = new AtomicBoolean();

        watch("slow", stuck, event -> {});
        await().until(() -> slow.polls() == 1);
        watch("quick", fine, event -> ended.compareAndSet(false, event instanceof JobEvent.Ended));

        await().untilTrue(ended);
    }

    @Test
    void aThousandWatchesNeedNoMoreThreadsThanOne() {
        for (int id = 1; id <= 1000; id++) {
            JobHandle job = SimulatedCluster.handle(id, Instant.EPOCH);
            quick.set(job, JobStatus.live(JobState.RUNNING, "RUNNING"));
            watch("quick", job, event -> {});
        }
        await().until(() -> quick.polls() > 0);

        assertThat(pollThreads()).isLessThanOrEqualTo(4);
    }
}
