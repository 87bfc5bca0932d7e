package io.jenkins.plugins.tao.backend.simulated;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.jenkins.plugins.tao.backend.ArtifactPlan;
import io.jenkins.plugins.tao.backend.ArtifactSink;
import io.jenkins.plugins.tao.backend.Avoiding;
import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.backend.BackendException.Denied;
import io.jenkins.plugins.tao.backend.BackendException.Rejected;
import io.jenkins.plugins.tao.backend.BackendException.Unreachable;
import io.jenkins.plugins.tao.backend.CodeStore;
import io.jenkins.plugins.tao.backend.Diagnosis;
import io.jenkins.plugins.tao.backend.LiveJobs;
import io.jenkins.plugins.tao.backend.OtherWork;
import io.jenkins.plugins.tao.backend.Paths;
import io.jenkins.plugins.tao.backend.Position;
import io.jenkins.plugins.tao.backend.Report;
import io.jenkins.plugins.tao.backend.Report.Check;
import io.jenkins.plugins.tao.backend.SourceTree;
import io.jenkins.plugins.tao.backend.Stream;
import io.jenkins.plugins.tao.backend.StreamRef;
import io.jenkins.plugins.tao.backend.Tail;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.JobKey;
import io.jenkins.plugins.tao.job.JobSpec;
import io.jenkins.plugins.tao.job.JobState;
import io.jenkins.plugins.tao.job.JobStatus;
import io.jenkins.plugins.tao.job.Secret;
import java.io.IOException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Plays jobs: looks up what was asked for, and tells how that looks now. Holds nothing but its folder. */
final class SimulatedBackend implements Avoiding, CodeStore, LiveJobs, Paths {
    private static final int MOST_BYTES = 256 * 1024;

    private final SimulatedTarget target;
    private final PlayStore store;
    private final InstantSource clock;

    SimulatedBackend(SimulatedTarget target, InstantSource clock) {
        this.target = target;
        this.clock = clock;
        store = new PlayStore(target.baseDirectory());
    }

    @Override
    public Report preflight(JobSpec spec) {
        int asked = spec.resources().nodes();
        return new Report(List.of(
                Check.passed("target", "'" + target.name() + "' simulates jobs and runs none of their commands"),
                asked <= target.machines()
                        ? Check.passed("nodes", asked + " of " + target.machines())
                        : Check.failed(
                                "nodes",
                                "The job asks for " + asked + " nodes, and '" + target.name() + "' has "
                                        + target.machines() + ".",
                                "Ask for fewer nodes, or give the target more by its key nodes.")));
    }

    /** A played job reads none of its files. */
    @Override
    public Delivery deliver(SourceTree tree, JobKey key) {
        return new Delivery("nowhere, for nothing runs", tree.files().size(), 0);
    }

    @Override
    public JobHandle submit(JobSpec spec, JobKey key, Set<String> avoidNodes) throws BackendException {
        PlayRequest request = PlayRequest.of(target, spec, key);
        try {
            if (store.find(key, 1).isEmpty()) {
                if (request.planned().in(1).equals(Optional.of(PlannedFailure.Kind.QUEUE_FULL))) {
                    throw new Rejected(
                            "'" + target.name() + "' refused the job: too many jobs wait, as its option failure says.",
                            "Wait for some to end, then submit again.");
                }
                store.add(key, request, avoidNodes, clock.instant());
            }
            PlayStore.Known known = store.find(key, 1).orElseThrow();
            if (!known.request().isSameWork(request)) {
                throw OtherWork.refused(target.name(), key);
            }
            return handle(key, known.attempts().get(0));
        } catch (IOException e) {
            throw unwritable(e);
        }
    }

    @Override
    public JobHandle resubmit(JobHandle previous, Map<String, Secret> secrets, Set<String> avoidNodes)
            throws BackendException {
        int number = previous.attempt() + 1;
        try {
            if (store.find(previous.key(), previous.attempt()).isEmpty()) {
                throw new Rejected(
                        "'" + target.name() + "' does not know " + previous.shortName() + ".",
                        "Submit the job again: the folder " + target.baseDirectory() + " does not hold it any more.");
            }
            if (store.find(previous.key(), number).isEmpty()) {
                store.addAttempt(previous.key(), number, avoidNodes, clock.instant());
            }
            return handle(
                            previous.key(),
                            store.find(previous.key(), number)
                                    .orElseThrow()
                                    .attempts()
                                    .get(number - 1))
                    .withStartWithin(previous.startWithin())
                    .withTimeLimit(previous.timeLimit())
                    .withGpus(previous.gpus())
                    .withRetryBudget(previous.retryBudget());
        } catch (IOException e) {
            throw new Unreachable(
                    "The folder " + target.baseDirectory() + " of '" + target.name() + "' cannot be used now: "
                            + words(e) + ".",
                    "It is tried again.",
                    e);
        }
    }

    @Override
    public Map<JobHandle, JobStatus> poll(Set<JobHandle> jobs) throws BackendException {
        requireFolder();
        Instant now = clock.instant();
        Map<JobHandle, JobStatus> seen = new LinkedHashMap<>();
        for (JobHandle job : jobs) {
            try {
                find(job).ifPresent(known -> seen.put(job, last(known).status(now)));
            } catch (IOException e) {
                seen.put(job, JobStatus.live(JobState.UNCLEAR, "UNREADABLE").withReason(words(e)));
            }
        }
        return seen;
    }

    @Override
    public Look live() throws BackendException {
        requireFolder();
        Instant now = clock.instant();
        List<Found> jobs = new ArrayList<>();
        List<String> gaps = new ArrayList<>();
        try {
            for (JobKey key : store.keys()) {
                Optional<PlayStore.Known> known = store.newest(key);
                Optional<JobStatus> status = known.map(job -> last(job).status(now));
                if (status.isEmpty()) {
                    gaps.add("Job " + key + " cannot be read below " + target.baseDirectory() + ".");
                } else if (status.get().state() != JobState.ENDED) {
                    List<PlayAttempt> attempts = known.get().attempts();
                    jobs.add(new Found(
                            handle(key, attempts.get(attempts.size() - 1)),
                            status.get().nativeState(),
                            Optional.empty()));
                }
            }
        } catch (IOException e) {
            throw unwritable(e);
        }
        return new Look(jobs, gaps);
    }

    @Override
    public Map<StreamRef, Tail> read(Map<StreamRef, Position> from) throws BackendException {
        requireFolder();
        Instant now = clock.instant();
        Map<StreamRef, Tail> tails = new LinkedHashMap<>();
        from.forEach((ref, position) -> tail(ref, position, now).ifPresent(tail -> tails.put(ref, tail)));
        return tails;
    }

    private Optional<Tail> tail(StreamRef ref, Position position, Instant now) {
        List<Play> plays;
        try {
            Optional<PlayStore.Known> known = find(ref.job());
            if (known.isEmpty()) {
                return Optional.empty();
            }
            plays = plays(known.get());
        } catch (IOException e) {
            return Optional.empty(); // the next poll tells of it
        }
        boolean status = ref.stream() == Stream.STATUS;
        String name = status ? "status.json" : ref.job().nativeId() + "/" + ref.stream();
        byte[] all = (status
                        ? PlayFiles.statusText(plays, now)
                        : plays.get(plays.size() - 1).text(ref.stream(), now))
                .getBytes(UTF_8);
        boolean restarted =
                !position.file().isEmpty() && (!position.file().equals(name) || position.byteOffset() > all.length);
        int begin = restarted ? 0 : (int) position.byteOffset();
        if (begin >= all.length) {
            return Optional.empty();
        }
        int end = Math.min(all.length, begin + MOST_BYTES);
        return Optional.of(
                new Tail(Arrays.copyOfRange(all, begin, end), new Position(name, end), restarted, end < all.length));
    }

    @Override
    public void cancel(JobHandle job) throws BackendException {
        try {
            Optional<PlayStore.Known> known = find(job);
            Instant now = clock.instant();
            if (known.isPresent() && last(known.get()).status(now).state() != JobState.ENDED) {
                store.cancel(job.key(), job.attempt(), now);
            }
        } catch (IOException e) {
            throw unwritable(e);
        }
    }

    @Override
    public Diagnosis diagnose(JobHandle job) throws BackendException {
        try {
            Optional<PlayStore.Known> known = find(job);
            if (known.isEmpty()) {
                return Diagnosis.NONE;
            }
            String planned = known.get().request().failure();
            return planned.isEmpty()
                    ? Diagnosis.NONE
                    : new Diagnosis(
                            "The job's option failure planned this: " + planned.toLowerCase(Locale.ROOT) + ".",
                            "Leave the option out.",
                            List.of("seed: " + known.get().request().seedText()));
        } catch (IOException e) {
            throw unwritable(e);
        }
    }

    @Override
    public void fetch(JobHandle job, ArtifactPlan plan, ArtifactSink sink) throws BackendException {
        try {
            Optional<PlayStore.Known> known = find(job);
            if (known.isEmpty()) {
                return;
            }
            List<Play> plays = plays(known.get());
            Instant now = clock.instant();
            String log = plays.get(plays.size() - 1).text(Stream.OUT, now);
            PlayFiles.copy(
                    log.isEmpty() ? Map.of() : Map.of("main.out", log),
                    PlayFiles.results(known.get().request(), plays, now),
                    plan,
                    sink);
        } catch (IOException e) {
            throw unwritable(e);
        }
    }

    /** The results of its own jobs; nothing else lies here. */
    @Override
    public Optional<Paths.Listing> list(String path) throws BackendException {
        try {
            for (JobKey key : store.exists() ? store.keys() : List.<JobKey>of()) {
                String results = store.folder(key) + "/results";
                if (path.equals(results) || path.startsWith(results + "/")) {
                    String below = path.substring(results.length()).replaceFirst("^/", "");
                    return store.newest(key)
                            .flatMap(known -> PlayFiles.listing(
                                    PlayFiles.results(known.request(), plays(known), clock.instant()), below));
                }
            }
            return Optional.empty();
        } catch (IOException e) {
            throw unwritable(e);
        }
    }

    @Override
    public void close() {}

    /** The job, if this is one of its attempts. */
    private Optional<PlayStore.Known> find(JobHandle job) throws IOException {
        return job.nativeId().equals(nativeId(job.key(), job.attempt()))
                ? store.find(job.key(), job.attempt())
                : Optional.empty();
    }

    private static List<Play> plays(PlayStore.Known known) {
        return Play.all(known.request(), known.attempts());
    }

    private static Play last(PlayStore.Known known) {
        List<Play> plays = plays(known);
        return plays.get(plays.size() - 1);
    }

    private JobHandle handle(JobKey key, PlayAttempt attempt) {
        return new JobHandle(
                target.name(),
                SimulatedType.NAME,
                key,
                attempt.number(),
                nativeId(key, attempt.number()),
                store.folder(key).toString(),
                store.folder(key) + "/results",
                attempt.submittedAt());
    }

    private static String nativeId(JobKey key, int attempt) {
        return key + "." + attempt;
    }

    /** Without its folder nothing is known of any job; that is not the same as that there are none. */
    private void requireFolder() throws Unreachable {
        if (!store.exists()) {
            throw new Unreachable(
                    "The folder " + target.baseDirectory() + " of '" + target.name() + "' is not there.",
                    "The first job makes that of a new target. Else restore it; its jobs are looked for again.");
        }
    }

    private Denied unwritable(IOException e) {
        return new Denied(
                "The folder " + target.baseDirectory() + " of '" + target.name() + "' cannot be used: " + words(e)
                        + ".",
                "Set baseDirectory to a folder that this process can write.",
                e);
    }

    private static String words(IOException e) {
        return e.getClass().getSimpleName() + " " + e.getMessage();
    }
}
