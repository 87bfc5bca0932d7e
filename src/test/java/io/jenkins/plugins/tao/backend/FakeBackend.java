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
 * when it ended with 0. The variable {@code CHATTER} is a number of lines to write before, {@code EXIT} an end in place of the command's,
 * and {@code CURVE} the values of a metric {@code val_acc} by epoch; behind them
 * {@code stay} for a job that runs until it is cancelled.
 */
public final class FakeBackend implements Backend, CodeStore, Leasing, Tidying {
    private static final Instant SUBMITTED = Instant.parse("2026-11-21T08:00:00Z");

    private static final String STAYS = " stay";

    private final Map<JobKey, JobHandle> handles = new ConcurrentHashMap<>();
    /** By native id: what is known of a job beside it may be added to its handle later. */
    private final Map<String, JobSpec> jobs = new ConcurrentHashMap<>();

    private final Set<JobHandle> cancelled = ConcurrentHashMap.newKeySet();
    private final List<JobSpec> seen = new CopyOnWriteArrayList<>();
    private volatile Report report = new Report(List.of(Report.Check.passed("fake answers", "yes")));
    private volatile Optional<BackendException> trouble = Optional.empty();
    private volatile Optional<BackendException> refusal = Optional.empty();
    private volatile Consumer<JobKey> submission = key -> {};
    private volatile Consumer<JobHandle> cancelSeen = job -> {};
    private volatile Consumer<JobKey> delivery = key -> {};
    private volatile Optional<String> heldBy = Optional.empty();
    private volatile Controller controller = Controller.NONE;
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

    /** Shows each job whose end is asked for, before it ends. */
    public void willBeSeenByCancel(Consumer<JobHandle> witness) {
        cancelSeen = witness;
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
            jobs.put(id, spec);
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
        return asked.stream()
                .filter(job -> jobs.containsKey(job.nativeId()))
                .collect(Collectors.toMap(Function.identity(), this::status));
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
        JobSpec spec = jobs.get(job.nativeId());
        if (spec == null) {
            return "";
        }
        String code = spec.env().get("EXIT");
        if (spec.env().getOrDefault("CURVE", "").endsWith(STAYS)) {
            return "stay";
        }
        return code == null ? spec.command() : "exit " + code;
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
        if (stream.stream() == Stream.STATUS) {
            return curve(stream.job()) + (done ? "{\"status\": \"SUCCESS\", \"message\": \"done\"}\n" : "");
        }
        return done ? "{\"status\": \"SUCCESS\", \"message\": \"done\"}\n" : "";
    }

    private String curve(JobHandle job) {
        JobSpec spec = jobs.get(job.nativeId());
        String values = spec == null ? "" : spec.env().getOrDefault("CURVE", "").replace(STAYS, "");
        StringBuilder lines = new StringBuilder();
        int epoch = 0;
        for (String value : values.isEmpty() ? new String[0] : values.split(" ", -1)) {
            lines.append("{\"status\": \"RUNNING\", \"message\": \"Train metrics generated.\", \"epoch\": ")
                    .append(epoch++)
                    .append(", \"kpi\": {\"val_acc\": ")
                    .append(value)
                    .append("}}\n");
        }
        return lines.toString();
    }

    private String chatter(JobHandle job) {
        JobSpec spec = jobs.get(job.nativeId());
        int lines = spec == null ? 0 : Integer.parseInt(spec.env().getOrDefault("CHATTER", "0"));
        return IntStream.rangeClosed(1, lines).mapToObj(i -> "line " + i + "\n").collect(Collectors.joining());
    }

    @Override
    public void cancel(JobHandle job) throws BackendException {
        answer();
        if (heldBy.isPresent()) {
            throw new BackendException.Rejected(job.shortName() + " is held by " + heldBy.get() + ".", "Take it over.");
        }
        cancelSeen.accept(job);
        cancelled.add(job);
    }

    @Override
    public Diagnosis diagnose(JobHandle job) {
        return new Diagnosis("the command ended by itself", "look at its log", List.of("command: " + command(job)));
    }

    @Override
    public void fetch(JobHandle job, ArtifactPlan plan, ArtifactSink sink) throws BackendException {
        answer();
        bring(sink, "logs/main.out", content(new StreamRef(job, Stream.OUT)));
        if (!curve(job).isEmpty()) {
            bring(sink, "results/status.json", content(new StreamRef(job, Stream.STATUS)));
        }
        plan.globs().forEach(glob -> sink.skipped(glob, "nothing matches"));
    }

    private static void bring(ArtifactSink sink, String name, String text) throws BackendException {
        try (ArtifactFile file = sink.open(name)) {
            file.content().write(text.getBytes(StandardCharsets.UTF_8));
            file.keep();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
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
