package io.jenkins.plugins.tao.bench;

import io.jenkins.plugins.tao.backend.Stream;
import io.jenkins.plugins.tao.dispatch.Dispatcher;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.monitor.JobEvent;
import io.jenkins.plugins.tao.monitor.Watch;
import io.jenkins.plugins.tao.monitor.WatchPlan;
import java.io.File;
import java.lang.management.ManagementFactory;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** A log of one GiB, followed through all layers, against {@code ssh cat}. */
final class Following {
    private static final long SIZE = 1L << 30;
    private static final double MIB = 1 << 20;
    private static final int ROUNDS = 3;

    private final Rig rig;

    Following(Rig rig) {
        this.rig = rig;
    }

    Figure run() throws Exception {
        JobHandle job = job();
        String log = rig.base + "/slurm-logs/tao-job-" + job.key() + "-" + job.nativeId() + ".out";
        rig.shell(
                "yes '[2026-11-21 05:00:00] INFO epoch 12 step 3456 loss 0.12345 lr 0.00100 images/s 812.5 eta 1:02:03'"
                        + " | head -c " + SIZE + " > " + log);
        double[] cat = new double[ROUNDS];
        double[] ours = new double[ROUNDS];
        double[] share = new double[ROUNDS];
        for (int i = 0; i < ROUNDS; i++) {
            cat[i] = Measure.millis(() -> cat(log));
            ours[i] = Measure.millis(() -> follow(job));
            share[i] = cat[i] / ours[i];
        }
        Map<String, String> numbers = new LinkedHashMap<>();
        numbers.put("`ssh cat`", speed(Measure.median(cat)));
        numbers.put("followed, line by line to the observer", speed(Measure.median(ours)));
        numbers.put("share of its speed, median of " + ROUNDS, Measure.ratio(Measure.median(share)));
        numbers.put("heap of this JVM at most", Runtime.getRuntime().maxMemory() / (1 << 20) + " MiB");
        return new Figure(
                "Following a log of 1 GiB",
                "bounded memory, at least half the speed of `ssh cat`",
                Measure.median(share) >= 0.5,
                "A running job's log holds 1 GiB of lines of 91 bytes; a watch is started and its observer counts the lines."
                        + " The yardstick is OpenSSH's client with `cat` into /dev/null. Both in turns, files cached.",
                numbers);
    }

    private JobHandle job() throws Exception {
        return Running.start(rig, "follow", "sleep 1200");
    }

    private static String speed(double ms) {
        return Math.round(SIZE / MIB / (ms / 1000)) + " MiB/s";
    }

    private static Process cat(String log) throws Exception {
        Process process = new ProcessBuilder(List.of(
                        "ssh", "-F", Rig.STATE.resolve("keys/ssh_config").toString(), "login1", "cat", log))
                .redirectOutput(new File("/dev/null"))
                .start();
        if (process.waitFor() != 0) {
            throw new IllegalStateException("ssh cat failed");
        }
        return process;
    }

    private long follow(JobHandle job) throws Exception {
        CountDownLatch all = new CountDownLatch(1);
        long[] bytes = new long[1];
        try (Dispatcher dispatcher = rig.dispatcher()) {
            Watch watch = dispatcher.watch(rig.target(), job, WatchPlan.defaults(), new Memory(), event -> {
                if (event instanceof JobEvent.Lines lines && lines.stream() == Stream.OUT) {
                    lines.lines().forEach(line -> bytes[0] += line.length() + 1L);
                    if (bytes[0] >= SIZE - 200) {
                        all.countDown();
                    }
                }
            });
            if (!all.await(10, TimeUnit.MINUTES)) {
                throw new IllegalStateException("the log was not read to its end: " + bytes[0]);
            }
            watch.detach();
        }
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }
}
