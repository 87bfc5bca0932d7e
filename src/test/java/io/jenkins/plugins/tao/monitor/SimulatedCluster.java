package io.jenkins.plugins.tao.monitor;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.jenkins.plugins.tao.backend.ArtifactFile;
import io.jenkins.plugins.tao.backend.ArtifactPlan;
import io.jenkins.plugins.tao.backend.ArtifactSink;
import io.jenkins.plugins.tao.backend.Avoiding;
import io.jenkins.plugins.tao.backend.Backend;
import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.backend.BackendType;
import io.jenkins.plugins.tao.backend.Diagnosis;
import io.jenkins.plugins.tao.backend.JointCancels;
import io.jenkins.plugins.tao.backend.LiveJobs;
import io.jenkins.plugins.tao.backend.Position;
import io.jenkins.plugins.tao.backend.Preview;
import io.jenkins.plugins.tao.backend.Remembering;
import io.jenkins.plugins.tao.backend.Report;
import io.jenkins.plugins.tao.backend.Stream;
import io.jenkins.plugins.tao.backend.StreamRef;
import io.jenkins.plugins.tao.backend.Tail;
import io.jenkins.plugins.tao.backend.Target;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.JobKey;
import io.jenkins.plugins.tao.job.JobOptions;
import io.jenkins.plugins.tao.job.JobSpec;
import io.jenkins.plugins.tao.job.JobState;
import io.jenkins.plugins.tao.job.JobStatus;
import io.jenkins.plugins.tao.job.Secret;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/** A cluster that does what a test says, counts what it is asked, and can fall silent. */
public final class SimulatedCluster implements BackendType, Avoiding, Backend, JointCancels, LiveJobs, Remembering {
    /** The target to reach it by. */
    public record Place(String name, Optional<Duration> avoidFailedNodesFor) implements Avoiding.Place {
        /** One where nothing is avoided. */
        public Place(String name) {
            this(name, Optional.empty());
        }
    }

    /** It takes no options. */
    public record NoOptions() implements JobOptions {}

    private final Map<String, String> left = new ConcurrentHashMap<>();
    private final Map<JobHandle, JobStatus> jobs = new ConcurrentHashMap<>();
    final SimulatedStreams files = new SimulatedStreams();
    private final Map<String, SimulatedCluster> others = new HashMap<>();
    private volatile Optional<BackendException> trouble = Optional.empty();
    /** What a look at states answers while files can be read. */
    private volatile Optional<BackendException> schedulerTrouble = Optional.empty();

    public volatile Optional<BackendException> refusal = Optional.empty();
    /** What a cancel of, or a new attempt after, this job answers. */
    private final Map<JobHandle, BackendException> troubles = new ConcurrentHashMap<>();

    private volatile Optional<Runnable> fault = Optional.empty();
    private volatile Optional<CountDownLatch> hang = Optional.empty();
    private volatile Optional<CountDownLatch> hangingSubmissions = Optional.empty();
    private final List<Set<String>> avoided = new ArrayList<>();
    public final AtomicInteger polls = new AtomicInteger();
    public final AtomicInteger reads = new AtomicInteger();
    final AtomicInteger submissions = new AtomicInteger();
    private final AtomicInteger fetches = new AtomicInteger();
    private volatile Diagnosis diagnosis = Diagnosis.NONE;
    public final AtomicInteger jointCancels = new AtomicInteger();
    private volatile Optional<BackendException> together = Optional.empty();
    public final List<JobHandle> cancelled = new CopyOnWriteArrayList<>();
    private volatile Optional<String> controller = Optional.empty();
    private volatile List<String> gaps = List.of();
    private volatile Runnable duringLook = () -> {};
    public int opened;
    public int forgotten;
    public int closed;

    /** A job with this native id. */
    public static JobHandle handle(int id, Instant at) {
        return new JobHandle("sim", "sim", new JobKey("job-" + id), 1, Integer.toString(id), "/jobs", "/results", at);
    }

    /** Lets a job be in this state from now on. */
    public void set(JobHandle job, JobStatus status) {
        jobs.put(job, status);
    }

    public void forget(JobHandle job) {
        jobs.remove(job);
    }

    /** Lets a stream of a job grow. */
    public void write(JobHandle job, Stream stream, String text) {
        files.write(job, stream, text);
    }

    public void replace(JobHandle job, Stream stream, String text) {
        files.replace(job, stream, text);
    }

    @Override
    public Look live() throws BackendException {
        answer();
        List<Found> found = jobs.entrySet().stream()
                .filter(job -> job.getValue().state() != JobState.ENDED)
                .map(job -> new Found(job.getKey(), job.getValue().nativeState(), controller))
                .toList();
        duringLook.run();
        return new Look(found, gaps);
    }

    /** Lets this happen while it lists its jobs: the list does not show it yet. */
    public void duringLook(Runnable what) {
        duringLook = what;
    }

    /** Lets all its jobs belong to this controller. */
    public void belongsTo(String id) {
        controller = Optional.of(id);
    }

    /** Lets a part of its list be unreadable. */
    public void gap(String what) {
        gaps = List.of(what);
    }

    /** Answers every call with {@code with} from now on. */
    public void fallSilent(BackendException with) {
        trouble = Optional.of(with);
    }

    /** Answers {@code with} to each look at states alone; files can be read. */
    public void scheduler(Optional<BackendException> with) {
        schedulerTrouble = with;
    }

    /** Answers {@code with} to whatever would change {@code job}; looks at it are answered as usual. */
    public void refuse(JobHandle job, BackendException with) {
        troubles.put(job, with);
    }

    /** Lets every call that asks for the ends of several jobs fail so. */
    public void refuseTogether(BackendException with) {
        together = Optional.of(with);
    }

    public void refuseNoMore(JobHandle job) {
        troubles.remove(job);
    }

    /** Lets every poll fail by a fault of the program, until there is none. */
    public void breakDown(Optional<Runnable> by) {
        fault = by;
    }

    private void change(JobHandle job) throws BackendException {
        answer();
        BackendException trouble = troubles.get(job);
        if (trouble != null) {
            throw trouble;
        }
    }

    /** Answers as usual again. */
    public void answerAgain() {
        trouble = Optional.empty();
    }

    /** Lets the target called {@code name} lead to another cluster. */
    public void also(String name, SimulatedCluster other) {
        others.put(name, other);
    }

    /** Lets every poll wait for {@code latch}. */
    public void hangOn(CountDownLatch latch) {
        hang = Optional.of(latch);
    }

    /** Lets every submission wait for {@code latch}. */
    public void hangSubmissionsOn(CountDownLatch latch) {
        hangingSubmissions = Optional.of(latch);
    }

    /** The jobs whose end was asked for, each as often as it was. */
    public List<JobHandle> cancelled() {
        return List.copyOf(cancelled);
    }

    /** How often it was polled. */
    public int polls() {
        return polls.get();
    }

    /** How often it was asked to start a job. */
    public int submissions() {
        return submissions.get();
    }

    /** What each new attempt, and each first one that avoids something, was asked to avoid. */
    public List<Set<String>> avoided() {
        return avoided;
    }

    private void answer() throws BackendException {
        if (trouble.isPresent()) {
            throw trouble.get();
        }
    }

    private static void await(Optional<CountDownLatch> latch) throws BackendException {
        try {
            if (latch.isPresent()) {
                latch.get().await();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new BackendException.Unreachable("interrupted", "Wait.", e);
        }
    }

    @Override
    public Map<JobHandle, JobStatus> poll(Set<JobHandle> asked) throws BackendException {
        polls.incrementAndGet();
        answer();
        if (schedulerTrouble.isPresent()) {
            throw schedulerTrouble.get();
        }
        fault.ifPresent(Runnable::run);
        await(hang);
        Map<JobHandle, JobStatus> known = new HashMap<>(jobs);
        known.keySet().retainAll(asked);
        return known;
    }

    @Override
    public Map<StreamRef, Tail> read(Map<StreamRef, Position> from) throws BackendException {
        reads.incrementAndGet();
        answer();
        return files.read(from);
    }

    @Override
    public void cancel(JobHandle job) throws BackendException {
        change(job);
        if (refusal.isPresent()) {
            throw refusal.get();
        }
        cancelled.add(job);
    }

    @Override
    public Map<JobHandle, BackendException> cancelAll(Map<JobHandle, String> jobs) throws BackendException {
        jointCancels.incrementAndGet();
        answer();
        if (together.isPresent()) {
            throw together.get();
        }
        Map<JobHandle, BackendException> refusals = new HashMap<>();
        for (JobHandle job : jobs.keySet()) {
            try {
                cancel(job);
            } catch (BackendException e) {
                refusals.put(job, e);
            }
        }
        return refusals;
    }

    @Override
    public JobHandle resubmit(JobHandle previous, Map<String, Secret> secrets, Set<String> avoidNodes)
            throws BackendException {
        submissions.incrementAndGet();
        change(previous);
        avoided.add(avoidNodes);
        return previous.nextAttempt(previous.nativeId() + "0", previous.submittedAt());
    }

    @Override
    public JobHandle submit(JobSpec spec, JobKey key, Set<String> avoidNodes) throws BackendException {
        synchronized (avoided) {
            avoided.add(avoidNodes);
        }
        return submit(spec, key);
    }

    @Override
    public JobHandle submit(JobSpec spec, JobKey key) throws BackendException {
        submissions.incrementAndGet();
        await(hangingSubmissions);
        answer();
        return new JobHandle("sim", "sim", key, 1, "1", "/jobs", "/results", Instant.EPOCH);
    }

    @Override
    public Report preflight(JobSpec spec) throws BackendException {
        answer();
        boolean refused = spec.command().contains("refuse me");
        return new Report(List.of(
                refused
                        ? Report.Check.failed("command", "asks to be refused.", "Ask for something else.")
                        : Report.Check.passed("command", "fine")));
    }

    @Override
    public Diagnosis diagnose(JobHandle job) {
        return diagnosis;
    }

    @Override
    public void fetch(JobHandle job, ArtifactPlan plan, ArtifactSink sink) {
        fetches.incrementAndGet();
        left.forEach((path, text) -> {
            try (ArtifactFile file = sink.open(path)) {
                file.content().write(text.getBytes(UTF_8));
                file.keep();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
    }

    /** Lets all jobs that end from now on leave this file. */
    public void leave(String path, String text) {
        left.put(path, text);
    }

    /** Lets it find this after a failure. */
    public void finds(Diagnosis found) {
        diagnosis = found;
    }

    /** How often it was asked for files. */
    public int fetches() {
        return fetches.get();
    }

    @Override
    public void forget() {
        forgotten++;
    }

    /** How often it was told to ask anew. */
    public int forgotten() {
        return forgotten;
    }

    @Override
    public void close() {
        closed++;
    }

    @Override
    public String name() {
        return "sim";
    }

    @Override
    public Class<? extends Target> targetType() {
        return Place.class;
    }

    @Override
    public Class<? extends JobOptions> optionsType() {
        return NoOptions.class;
    }

    @Override
    public Backend open(Target target) {
        opened++;
        return others.getOrDefault(target.name(), this);
    }

    @Override
    public Preview preview(Target target, JobSpec spec, JobKey key) {
        return new Preview(List.of(new Preview.Part("command", spec.command())));
    }
}
