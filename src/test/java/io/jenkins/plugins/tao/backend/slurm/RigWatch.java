package io.jenkins.plugins.tao.backend.slurm;

import static org.awaitility.Awaitility.await;

import io.jenkins.plugins.tao.backend.BackendTypes;
import io.jenkins.plugins.tao.backend.Report;
import io.jenkins.plugins.tao.backend.Stream;
import io.jenkins.plugins.tao.backend.slurm.options.SlurmTarget;
import io.jenkins.plugins.tao.dispatch.Dispatcher;
import io.jenkins.plugins.tao.dispatch.SubmitObserver;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.JobKey;
import io.jenkins.plugins.tao.job.JobSpec;
import io.jenkins.plugins.tao.monitor.JobEvent;
import io.jenkins.plugins.tao.monitor.JobResult;
import io.jenkins.plugins.tao.monitor.Watch;
import io.jenkins.plugins.tao.monitor.WatchMemory;
import io.jenkins.plugins.tao.monitor.WatchPlan;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/** A whole dispatcher on the rig, and all that it told of each job. */
public final class RigWatch implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofMinutes(5);
    private static final WatchPlan PLAN =
            new WatchPlan(Duration.ofHours(1), 2, Optional.of(Duration.ofSeconds(2)), Map::of);

    private final SlurmTarget target;
    private final Dispatcher dispatcher = Dispatcher.start(BackendTypes.load());
    private final Map<JobHandle, List<JobEvent>> told = new ConcurrentHashMap<>();
    private final Map<JobHandle, Watch> watches = new ConcurrentHashMap<>();

    public RigWatch(SlurmTarget target) {
        this.target = target;
    }

    /** Submits a job without checks, which may request for what checks would refuse, and watches it. */
    public JobHandle start(String name, JobSpec spec) throws Exception {
        JobHandle job = dispatcher
                .submit(target, spec, new JobKey(name), true, new Patient())
                .get(5, TimeUnit.MINUTES);
        List<JobEvent> events = told.computeIfAbsent(job, key -> new CopyOnWriteArrayList<>());
        watches.put(job, dispatcher.watch(target, job, PLAN, WatchMemory.none(), events::add));
        return job;
    }

    public void cancel(JobHandle job) {
        Optional.ofNullable(watches.get(job)).orElseThrow().cancel("the test");
    }

    public <E extends JobEvent> List<E> told(JobHandle job, Class<E> kind) {
        return told.getOrDefault(job, List.of()).stream()
                .filter(kind::isInstance)
                .map(kind::cast)
                .toList();
    }

    /** Waits for a change that is like this. */
    public JobEvent.StatusChanged change(JobHandle job, Predicate<JobEvent.StatusChanged> like) {
        return await(job.shortName())
                .atMost(PATIENCE)
                .until(
                        () -> told(job, JobEvent.StatusChanged.class).stream()
                                .filter(like)
                                .findFirst(),
                        Optional::isPresent)
                .orElseThrow();
    }

    /** Waits for the end. */
    public JobResult end(JobHandle job) {
        return await(job.shortName())
                .atMost(PATIENCE)
                .until(() -> told(job, JobEvent.Ended.class), ends -> !ends.isEmpty())
                .get(0)
                .result();
    }

    /** All lines of a log so far. */
    public List<String> lines(JobHandle job, Stream stream) {
        return told(job, JobEvent.Lines.class).stream()
                .filter(event -> event.stream() == stream)
                .flatMap(event -> event.lines().stream())
                .toList();
    }

    @Override
    public void close() {
        dispatcher.close();
    }

    private static final class Patient implements SubmitObserver {
        @Override
        public void checked(Report report) {
            throw new IllegalStateException("nothing is checked");
        }

        @Override
        public void delayed(String what, Duration next) {
            // tried again by itself
        }
    }
}
