package io.jenkins.plugins.tao.backend;

import io.jenkins.plugins.tao.job.Ending;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.JobKey;
import io.jenkins.plugins.tao.job.JobSpec;
import io.jenkins.plugins.tao.job.JobState;
import io.jenkins.plugins.tao.job.JobStatus;
import io.jenkins.plugins.tao.job.Secret;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Runs nothing: a job is what its command says. {@code exit N} has ended with that code at the first look, {@code stay}
 * runs until it is cancelled; every job has written its own command to its log, and {@code SUCCESS} to its status.json
 * when it ended with 0. The variable {@code CHATTER} is a number of lines to write before.
 */
public final class FakeBackend implements Backend, CodeStore, Leasing, Tidying {
    private static final Instant SUBMITTED = Instant.parse("2026-11-21T08:00:00Z");

    private final Map<JobKey, JobHandle> handles = new ConcurrentHashMap<>();
    private final Map<JobHandle, JobSpec> jobs = new ConcurrentHashMap<>();
    private final Set<JobHandle> cancelled = ConcurrentHashMap.newKeySet();
    private final List<JobSpec> seen = new CopyOnWriteArrayList<>();
    private volatile Report report = new Report(List.of(Report.Check.passed("fake answers", "yes")));
    private volatile Optional<BackendException> trouble = Optional.empty();
    private volatile Optional<BackendException> refusal = Optional.empty();
    private volatile Consumer<JobKey> submission = key -> {};
    private volatile Consumer<JobKey> delivery = key -> {};
    private volatile Optional<String> heldBy = Optional.empty();
    private volatile Controller controller = Controller.NOBODY;
    private final AtomicLong bytesRead = new AtomicLong();
    private final AtomicInteger tidied = new AtomicInteger();

    /** Lets preflight find this from now on. */
    public void willReport(Report next) {
        report = next;
    }

    /** Lets another controller hold every job from now on. */
    public void willBeHeldBy(String words) {
        heldBy = Optional.of(words);
    }

    /** For whom everything is done. */
    public Controller controller() {
        return controller;
    }

    @Override
    public void actFor(Controller who) {
        controller = who;
    }

    @Override
    public void takeOver(JobHandle job) throws BackendException {
        answer();
        heldBy = Optional.empty();
    }

    @Override
    public Tidied tidy(boolean dryRun) throws BackendException {
        answer();
        int call = dryRun ? tidied.get() : tidied.incrementAndGet();
        return new Tidied(List.of("old-" + call), 2048, call < 2);
    }

    /** How many bytes of logs were read. */
    public long bytesRead() {
        return bytesRead.get();
    }

    /** Lets every call fail from now on. */
    public void willFail(BackendException with) {
        trouble = Optional.of(with);
    }

    /** Lets submissions alone be refused from now on. */
    public void willRefuseSubmissions(BackendException with) {
        refusal = Optional.of(with);
    }

    /** Shows each submission's key before the job is taken. */
    public void willBeSeenBySubmit(Consumer<JobKey> witness) {
        submission = witness;
    }

    /** Lets every call be answered again. */
    public void willAnswer() {
        trouble = Optional.empty();
    }

    @Override
    public Delivery deliver(SourceTree tree, JobKey key) {
        delivery.accept(key);
        return new Delivery("/code/" + tree.version(), tree.files().size(), 1);
    }

    /** Lets {@code witness} look on before any code is delivered. */
    public void willBeSeenByDelivery(Consumer<JobKey> witness) {
        delivery = witness;
    }

    /** The specs that were submitted. */
    public List<JobSpec> submitted() {
        return List.copyOf(seen);
    }

    /** The jobs whose end was asked for. */
    public Set<JobHandle> cancelled() {
        return Set.copyOf(cancelled);
    }

    @Override
    public Report preflight(JobSpec spec) throws BackendException {
        answer();
        return report;
    }

    @Override
    public JobHandle submit(JobSpec spec, JobKey key) throws BackendException {
        answer();
        submission.accept(key);
        if (refusal.isPresent()) {
            throw refusal.get();
        }
        return handles.computeIfAbsent(key, unknown -> {
            seen.add(spec);
            String id = Integer.toString(seen.size());
            JobHandle handle = new JobHandle("fake", "fake", key, 1, id, "/jobs/" + key, "/results/" + key, SUBMITTED);
            jobs.put(handle, spec);
            return handle;
        });
    }

    @Override
    public JobHandle resubmit(JobHandle previous, Map<String, Secret> secrets, Set<String> avoidNodes) {
        return previous.nextAttempt(previous.nativeId() + "+", SUBMITTED);
    }

    @Override
    public Map<JobHandle, JobStatus> poll(Set<JobHandle> asked) throws BackendException {
        answer();
        return asked.stream().filter(jobs::containsKey).collect(Collectors.toMap(Function.identity(), this::status));
    }

    private JobStatus status(JobHandle job) {
        String command = command(job);
        if (command.startsWith("exit ")) {
            int code = Integer.parseInt(command.substring("exit ".length()));
            Ending ending = code == 0 ? Ending.COMPLETED : Ending.FAILED;
            return JobStatus.ended(ending, ending.name()).withExitCode(code);
        }
        if (cancelled.contains(job)) {
            return JobStatus.ended(Ending.CANCELLED, "CANCELLED");
        }
        return JobStatus.live(JobState.RUNNING, "RUNNING").withNodes(List.of("node1"));
    }

    private String command(JobHandle job) {
        JobSpec spec = jobs.get(job);
        return spec == null ? "" : spec.command();
    }

    @Override
    public Map<StreamRef, Tail> read(Map<StreamRef, Position> from) throws BackendException {
        answer();
        Map<StreamRef, Tail> news = new LinkedHashMap<>();
        from.forEach((stream, at) -> {
            byte[] all = content(stream).getBytes(StandardCharsets.UTF_8);
            if (all.length > at.byteOffset()) {
                byte[] rest = Arrays.copyOfRange(all, (int) at.byteOffset(), all.length);
                bytesRead.addAndGet(rest.length);
                news.put(stream, new Tail(rest, new Position("file", all.length), false, false));
            }
        });
        return news;
    }

    private String content(StreamRef stream) {
        if (stream.stream() == Stream.OUT) {
            return chatter(stream.job()) + "hello from " + command(stream.job()) + "\n";
        }
        boolean done = stream.stream() == Stream.STATUS && command(stream.job()).equals("exit 0");
        return done ? "{\"status\": \"SUCCESS\", \"message\": \"done\"}\n" : "";
    }

    private String chatter(JobHandle job) {
        JobSpec spec = jobs.get(job);
        int lines = spec == null ? 0 : Integer.parseInt(spec.env().getOrDefault("CHATTER", "0"));
        return IntStream.rangeClosed(1, lines).mapToObj(i -> "line " + i + "\n").collect(Collectors.joining());
    }

    @Override
    public void cancel(JobHandle job) throws BackendException {
        answer();
        if (heldBy.isPresent()) {
            throw new BackendException.Rejected(job.shortName() + " is held by " + heldBy.get() + ".", "Take it over.");
        }
        cancelled.add(job);
    }

    @Override
    public Diagnosis diagnose(JobHandle job) {
        return new Diagnosis("the command ended by itself", "look at its log", List.of("command: " + command(job)));
    }

    @Override
    public void fetch(JobHandle job, ArtifactPlan plan, ArtifactSink sink) throws BackendException {
        answer();
        try (ArtifactFile log = sink.open("logs/main.out")) {
            log.content().write(content(new StreamRef(job, Stream.OUT)).getBytes(StandardCharsets.UTF_8));
            log.keep();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        plan.globs().forEach(glob -> sink.skipped(glob, "nothing matches"));
    }

    private void answer() throws BackendException {
        if (trouble.isPresent()) {
            throw trouble.get();
        }
    }

    @Override
    public void close() {
        // jobs live on
    }
}
