package io.jenkins.plugins.tao.bench;

import io.jenkins.plugins.tao.backend.Backend;
import io.jenkins.plugins.tao.dispatch.Dispatcher;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.JobKey;
import io.jenkins.plugins.tao.monitor.JobEvent;
import io.jenkins.plugins.tao.monitor.WatchPlan;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** How long after a job's end its observer hears of it. */
final class Endings {
    private static final int JOBS = 20;
    private static final Duration INTERVAL = Duration.ofSeconds(5);
    private static final double TARGET_MS = 6000;
    private static final WatchPlan PLAN = new WatchPlan(Duration.ofMinutes(5), 0, Optional.of(INTERVAL), Map::of);

    private final Rig rig;
    private final Map<JobHandle, Long> lastWord = new ConcurrentHashMap<>();
    private final Map<JobHandle, Long> told = new ConcurrentHashMap<>();
    private final CountDownLatch all = new CountDownLatch(JOBS);

    Endings(Rig rig) {
        this.rig = rig;
    }

    Figure run() throws Exception {
        try (Backend backend = rig.slurm.open(rig.target());
                Dispatcher dispatcher = rig.dispatcher()) {
            for (int i = 0; i < JOBS; i++) {
                String command = "sleep " + (20 + i * 0.7) + "; date +tao-end-%s%3N";
                JobHandle job = backend.submit(Running.spec(command), new JobKey(rig.run + "-end-" + i));
                rig.take(List.of(job.nativeId()));
                dispatcher.watch(rig.target(), job, PLAN, new Memory(), event -> take(job, event));
            }
            if (!all.await(5, TimeUnit.MINUTES)) {
                throw new IllegalStateException(all.getCount() + " jobs did not end");
            }
        }
        double[] late = told.entrySet().stream()
                .mapToDouble(entry -> entry.getValue() - lastWord.getOrDefault(entry.getKey(), 0L))
                .toArray();
        double latest = Arrays.stream(late).max().orElseThrow();
        Map<String, String> numbers = new LinkedHashMap<>();
        numbers.put("median of " + JOBS + " jobs", Measure.ms(Measure.median(late)));
        numbers.put("latest", Measure.ms(latest));
        return new Figure(
                "The end of a job is seen",
                "within one interval and one second, here 6 s",
                latest <= TARGET_MS,
                JOBS
                        + " jobs are watched with an interval of 5 s. Measured from the last act of the job's command, a line"
                        + " with the time, to the observer's last event: what Slurm itself takes to end a job is in it.",
                numbers);
    }

    private void take(JobHandle job, JobEvent event) {
        if (event instanceof JobEvent.Lines lines) {
            lines.lines().stream()
                    .filter(line -> line.startsWith("tao-end-"))
                    .forEach(line -> lastWord.put(job, Long.parseLong(line.substring("tao-end-".length()))));
        } else if (event instanceof JobEvent.Ended) {
            told.put(job, System.currentTimeMillis());
            all.countDown();
        }
    }
}
