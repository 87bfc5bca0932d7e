package io.jenkins.plugins.tao.bench;

import io.jenkins.plugins.tao.backend.BackendTypes;
import io.jenkins.plugins.tao.backend.Stream;
import io.jenkins.plugins.tao.dispatch.Dispatcher;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.JobKey;
import io.jenkins.plugins.tao.job.JobState;
import io.jenkins.plugins.tao.job.JobStatus;
import io.jenkins.plugins.tao.monitor.JobEvent;
import io.jenkins.plugins.tao.monitor.SimulatedCluster;
import io.jenkins.plugins.tao.monitor.WatchMemory;
import io.jenkins.plugins.tao.monitor.WatchPlan;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** The cost of ten thousand watches in threads and heap. */
final class Crowd {
    private static final int COUNT = 10_000;
    private static final int TARGET_BYTES = 4096;
    private static final int MOST_THREADS = 4;
    private static final WatchPlan SELDOM = new WatchPlan(Duration.ofDays(1), 0, Optional.empty(), Map::of);
    private static final String STATUS = "{\"date\": \"11/21/2026\", \"time\": \"5:0:0\", \"status\": \"RUNNING\","
            + " \"message\": \"Epoch 3 of 50\", \"epoch\": 3, \"max_epoch\": 50, \"eta\": \"1:02:03\","
            + " \"graphical\": {\"loss\": 0.125, \"val_loss\": 0.25, \"mAP\": 0.5, \"lr\": 0.001}}\n";

    private final SimulatedCluster cluster = new SimulatedCluster();

    Figure run() throws Exception {
        List<String> tokens = new ArrayList<>();
        for (int i = 0; i < COUNT; i++) {
            tokens.add(add(i));
        }
        long threadsOfOne;
        long threads;
        long perWatch;
        try (Dispatcher dispatcher = Dispatcher.start(BackendTypes.of(cluster))) {
            watch(dispatcher, tokens.subList(0, 1));
            threadsOfOne = threads();
            long before = heap();
            watch(dispatcher, tokens.subList(1, COUNT));
            perWatch = (heap() - before) / (COUNT - 1);
            threads = threads();
        }
        Map<String, String> numbers = new LinkedHashMap<>();
        numbers.put("live heap of one watch", Measure.bytes(perWatch));
        numbers.put("threads with 1 watch", Long.toString(threadsOfOne));
        numbers.put("threads with 10,000 watches", Long.toString(threads));
        return new Figure(
                "10,000 watched jobs",
                "a constant number of threads (at most 4), and less than 4,096 bytes of heap each",
                perWatch < TARGET_BYTES && threads <= MOST_THREADS,
                "Running jobs on a simulated cluster, each with a log line, half a line after it, and a status.json of four"
                        + " metrics, all read. The heap is what is live after collections, less what was live with one watch;"
                        + " each watch has its own handle, parsed from its token.",
                numbers);
    }

    private String add(int id) {
        String key = "train-dino-resnet50-" + String.format("%012x", id);
        JobHandle job = new JobHandle(
                "sim",
                "sim",
                new JobKey(key),
                1,
                Integer.toString(100_000 + id),
                "/lustre/fsw/users/someone/tao",
                "/lustre/fsw/users/someone/tao/results/" + key,
                Instant.ofEpochSecond(1_795_000_000));
        cluster.set(job, JobStatus.live(JobState.RUNNING, "RUNNING").withNodes(List.of("gpu01")));
        cluster.write(job, Stream.OUT, "epoch 3, and this is one line of the log\nhalf a li");
        cluster.write(job, Stream.STATUS, STATUS);
        return job.token();
    }

    private static void watch(Dispatcher dispatcher, List<String> tokens) throws InterruptedException {
        CountDownLatch told = new CountDownLatch(tokens.size());
        for (String token : tokens) {
            JobHandle job = JobHandle.parse(token);
            dispatcher.watch(new SimulatedCluster.Place("sim"), job, SELDOM, WatchMemory.none(), event -> {
                if (event instanceof JobEvent.Advanced) {
                    told.countDown();
                }
            });
        }
        if (!told.await(2, TimeUnit.MINUTES)) {
            throw new IllegalStateException(told.getCount() + " watches heard nothing");
        }
    }

    private static long threads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("tao-run"))
                .count();
    }

    /** The least of several measurements: a round under way holds more for a moment. */
    private static long heap() {
        long least = Long.MAX_VALUE;
        for (int i = 0; i < 8; i++) {
            System.gc();
            least = Math.min(
                    least,
                    ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed());
        }
        return least;
    }
}
