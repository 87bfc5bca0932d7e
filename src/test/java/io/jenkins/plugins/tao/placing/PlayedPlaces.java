package io.jenkins.plugins.tao.placing;

import io.jenkins.plugins.tao.backend.ArtifactPlan;
import io.jenkins.plugins.tao.backend.ArtifactSink;
import io.jenkins.plugins.tao.backend.Backend;
import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.backend.BackendType;
import io.jenkins.plugins.tao.backend.Diagnosis;
import io.jenkins.plugins.tao.backend.Position;
import io.jenkins.plugins.tao.backend.Preview;
import io.jenkins.plugins.tao.backend.Report;
import io.jenkins.plugins.tao.backend.StreamRef;
import io.jenkins.plugins.tao.backend.Tail;
import io.jenkins.plugins.tao.backend.Target;
import io.jenkins.plugins.tao.backend.Withdrawing;
import io.jenkins.plugins.tao.job.Ending;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.JobKey;
import io.jenkins.plugins.tao.job.JobOptions;
import io.jenkins.plugins.tao.job.JobSpec;
import io.jenkins.plugins.tao.job.JobState;
import io.jenkins.plugins.tao.job.JobStatus;
import io.jenkins.plugins.tao.job.Secret;
import io.jenkins.plugins.tao.monitor.Ticker;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;

/** Several places that play jobs by the clock: each job waits, runs and ends at its times; requests to end it take a while to arrive. */
final class PlayedPlaces {
    private static final Duration RUNS = Duration.ofHours(5);
    private static final int SLOWEST_REQUEST = 40;

    final Map<String, Played> jobs = new LinkedHashMap<>();
    private final Random random;
    private final Ticker clock;
    private final boolean sparesBegun;
    private final double trouble;
    /** How long a job waits on each target; a target that is not here refuses. */
    final Map<String, Duration> waits = new HashMap<>();

    /** Until when all refuse because of their limits. */
    Optional<Instant> fullUntil = Optional.empty();

    PlayedPlaces(Random random, Ticker clock, boolean sparesBegun, double trouble) {
        this.random = random;
        this.clock = clock;
        this.sparesBegun = sparesBegun;
        this.trouble = trouble;
    }

    /** The target to reach one by. */
    record Place(String name) implements Target {}

    /** It takes no options. */
    record NoOptions() implements JobOptions {}

    /** One job. */
    static final class Played {
        final JobHandle handle;
        final Instant starts;
        private final List<Request> requests = new ArrayList<>();

        Played(JobHandle handle, Instant starts) {
            this.handle = handle;
            this.starts = starts;
        }

        private record Request(Instant arrives, boolean sparesBegun) {}

        Optional<Instant> killedAt() {
            return requests.stream()
                    .filter(request -> request.arrives().isBefore(starts)
                            || (!request.sparesBegun() && request.arrives().isBefore(ends())))
                    .map(Request::arrives)
                    .min(Instant::compareTo);
        }

        private Instant ends() {
            return starts.plus(RUNS);
        }

        boolean ran() {
            return killedAt().map(starts::isBefore).orElse(true);
        }

        Instant over() {
            return killedAt().orElse(ends());
        }

        boolean livesAt(Instant time) {
            return time.isBefore(over());
        }

        JobStatus at(Instant time) {
            Optional<Instant> start = Optional.of(starts).filter(at -> ran() && !at.isAfter(time));
            if (!livesAt(time)) {
                return JobStatus.ended(killedAt().isPresent() ? Ending.CANCELLED : Ending.COMPLETED, "OVER")
                        .withTimes(start, Optional.of(over()));
            }
            return start.isPresent()
                    ? JobStatus.live(JobState.RUNNING, "RUNNING").withRuns(1).withTimes(start, Optional.empty())
                    : JobStatus.live(JobState.PENDING, "PENDING").withReason("Priority");
        }
    }

    private void hiccup(String place) throws BackendException {
        if (random.nextDouble() < trouble) {
            throw new BackendException.Unreachable("'" + place + "' does not answer.", "Wait.");
        }
    }

    JobHandle submit(String target, JobKey key) throws BackendException {
        hiccup(target);
        if (fullUntil.map(clock.now()::isBefore).orElse(false)) {
            throw BackendException.Rejected.forLimit("'" + target + "' has too many jobs.", "Wait.");
        }
        Duration wait = waits.get(target);
        if (wait == null) {
            throw new BackendException.Rejected("'" + target + "' refuses.", "Ask elsewhere.");
        }
        Played job = jobs.computeIfAbsent(
                key.value(),
                id -> new Played(
                        new JobHandle(
                                        target,
                                        "played",
                                        key,
                                        1,
                                        "" + (jobs.size() + 1),
                                        "/jobs",
                                        "/results",
                                        clock.now())
                                .withStartWithin(Optional.of(Duration.ofMinutes(30))),
                        clock.now().plus(wait)));
        hiccup(target);
        return job.handle;
    }

    private void end(JobHandle handle, boolean spares) throws BackendException {
        hiccup(handle.target());
        Played job = jobs.get(handle.key().value());
        if (job != null && job.livesAt(clock.now())) {
            job.requests.add(new Played.Request(clock.now().plusSeconds(random.nextInt(SLOWEST_REQUEST)), spares));
        }
        hiccup(handle.target());
    }

    /** The kind of these places as one process sees them: {@code step} is asked before and after each call that changes something. */
    BackendType type(Runnable step) {
        return new BackendType() {
            @Override
            public String name() {
                return "played";
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
                return sparesBegun ? new Sparing(step) : new Plain(step);
            }

            @Override
            public Preview preview(Target target, JobSpec spec, JobKey key) {
                throw new UnsupportedOperationException();
            }
        };
    }

    private class Plain implements Backend {
        private final Runnable step;

        Plain(Runnable step) {
            this.step = step;
        }

        void end(JobHandle job, boolean spares) throws BackendException {
            step.run();
            PlayedPlaces.this.end(job, spares);
            step.run();
        }

        @Override
        public Map<JobHandle, JobStatus> poll(Set<JobHandle> asked) throws BackendException {
            step.run();
            hiccup("a place");
            Map<JobHandle, JobStatus> seen = new HashMap<>();
            asked.forEach(job -> {
                Played played = jobs.get(job.key().value());
                if (played != null) {
                    seen.put(job, played.at(clock.now()));
                }
            });
            return seen;
        }

        @Override
        public void cancel(JobHandle job) throws BackendException {
            end(job, false);
        }

        @Override
        public Report preflight(JobSpec spec) {
            return new Report(List.of());
        }

        @Override
        public JobHandle submit(JobSpec spec, JobKey key) {
            throw new UnsupportedOperationException();
        }

        @Override
        public JobHandle resubmit(JobHandle previous, Map<String, Secret> secrets, Set<String> avoidNodes) {
            throw new UnsupportedOperationException();
        }

        @Override
        public Map<StreamRef, Tail> read(Map<StreamRef, Position> from) {
            return Map.of();
        }

        @Override
        public Diagnosis diagnose(JobHandle job) {
            return Diagnosis.NONE;
        }

        @Override
        public void fetch(JobHandle job, ArtifactPlan plan, ArtifactSink sink) {}

        @Override
        public void close() {}
    }

    private final class Sparing extends Plain implements Withdrawing {
        Sparing(Runnable step) {
            super(step);
        }

        @Override
        public void withdraw(JobHandle job) throws BackendException {
            end(job, true);
        }
    }
}
