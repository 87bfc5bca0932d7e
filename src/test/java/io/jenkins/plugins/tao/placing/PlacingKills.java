package io.jenkins.plugins.tao.placing;

import static org.assertj.core.api.Assertions.assertThat;

import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.backend.BackendTypes;
import io.jenkins.plugins.tao.backend.Controller;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.JobKey;
import io.jenkins.plugins.tao.monitor.JobObserver;
import io.jenkins.plugins.tao.monitor.ManualTicker;
import io.jenkins.plugins.tao.monitor.Ticker;
import io.jenkins.plugins.tao.monitor.Watch;
import io.jenkins.plugins.tao.monitor.WatchMemory;
import io.jenkins.plugins.tao.monitor.WatchPlan;
import io.jenkins.plugins.tao.monitor.poll.Connections;
import io.jenkins.plugins.tao.monitor.poll.Monitor;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.logging.Level;
import java.util.logging.Logger;

/** A job with several targets whose program is killed at any moment: one job runs, none is lost, never two at a time. */
abstract class PlacingKills {
    private static final Instant START = Instant.parse("2026-11-23T22:00:00Z");
    static final List<String> TARGETS = List.of("a", "b", "c");
    private static final Logger MONITOR = Logger.getLogger("io.jenkins.plugins.tao.monitor");

    final ManualTicker clock = new ManualTicker(START);
    /** What is on the disk. */
    private final Map<String, String> disk = new HashMap<>();

    final List<String> said = new ArrayList<>();
    boolean waitsWhenRefused;
    private final Set<String> unanswered = new HashSet<>();

    /** One process; after its death nothing of it has an effect. */
    final class DoorProcess implements Door {
        private final PlayedPlaces places;
        private int stepsLeft;
        private boolean dead;
        private final Ticker ticker = new Ticker() {
            @Override
            public Instant now() {
                return clock.now();
            }

            @Override
            public Alarm after(Duration delay, Runnable task) {
                return clock.after(delay, () -> live(task));
            }

            @Override
            public void close() {}
        };
        private final Monitor monitor;
        final Placer placer;

        DoorProcess(PlayedPlaces places, int stepsLeft) {
            this.places = places;
            this.stepsLeft = stepsLeft;
            monitor = new Monitor(
                    new Connections(BackendTypes.of(places.type(this::step)), ticker, Runnable::run, Controller.NONE),
                    ticker,
                    Runnable::run);
            Optional<Placing> known = Optional.ofNullable(disk.get("placing")).map(Placing::parse);
            placer = Placer.start(
                    this,
                    known.orElseGet(() -> Placing.begin(new JobKey("train-1"), TARGETS, Optional.empty())),
                    known.isPresent(),
                    ticker,
                    task -> ticker.after(Duration.ZERO, task));
        }

        private void live(Runnable task) {
            try {
                if (!dead) {
                    task.run();
                }
            } catch (IllegalStateException e) {
                assertThat(dead)
                        .as("only a killed process may break off: %s", e)
                        .isTrue();
            }
        }

        /** One step nearer to the end of the process. */
        private void step() {
            if (!dead && stepsLeft-- == 0) {
                dead = true;
            }
            if (dead) {
                throw new IllegalStateException("killed");
            }
        }

        @Override
        public void save(Placing placing) {
            step();
            disk.put("placing", placing.render());
            step();
        }

        @Override
        public CompletableFuture<JobHandle> send(Next.Send send, boolean resumed) {
            Leg leg = send.leg();
            if (!resumed) {
                unanswered.remove(leg.key());
            }
            CompletableFuture<JobHandle> answer = new CompletableFuture<>();
            attempt(leg, answer);
            return answer;
        }

        private void attempt(Leg leg, CompletableFuture<JobHandle> answer) {
            try {
                step();
                JobHandle job = places.submit(leg.target(), leg.id());
                step();
                answer.complete(job);
            } catch (BackendException.Unreachable e) {
                unanswered.add(leg.key());
                ticker.after(Duration.ofSeconds(5), () -> attempt(leg, answer));
            } catch (BackendException e) {
                answer.completeExceptionally(e);
            }
        }

        @Override
        public boolean mayBeThere(Leg leg) {
            return unanswered.contains(leg.key()) && places.jobs.containsKey(leg.key());
        }

        @Override
        public Watch watch(JobHandle job, JobObserver observer) {
            WatchMemory memory = new WatchMemory() {
                @Override
                public Optional<String> load() {
                    return Optional.ofNullable(disk.get(job.key().value()));
                }

                @Override
                public void save(String record) {
                    step();
                    disk.put(job.key().value(), record);
                    step();
                }
            };
            return monitor.watch(
                    new PlayedPlaces.Place(job.target()),
                    job,
                    WatchPlan.defaults().withoutLogs().withoutRetries(),
                    memory,
                    event -> {
                        step();
                        observer.on(event);
                    });
        }

        @Override
        public Watch watchParent(JobHandle parent, JobObserver observer) {
            throw new UnsupportedOperationException();
        }

        @Override
        public JobHandle newest(JobHandle job) {
            return job;
        }

        @Override
        public Inherited inherit(JobHandle parent) {
            return Inherited.NOTHING;
        }

        @Override
        public Turn turn(Leg leg) {
            return Turn.none(clock.now());
        }

        @Override
        public void turnOver(Leg leg) {}

        @Override
        public boolean waitsWhenRefused(Leg leg) {
            return waitsWhenRefused;
        }

        @Override
        public Optional<Duration> startWithin() {
            return Optional.of(Duration.ofMinutes(30));
        }

        @Override
        public void say(String line) {
            said.add(line);
        }
    }

    private PlayedPlaces places(Random random, boolean sparesBegun, double trouble) {
        PlayedPlaces places = new PlayedPlaces(random, clock, sparesBegun, trouble);
        // around the deadline of 30 minutes, so that starts and requests to end meet
        places.waits.put("a", Duration.ofSeconds(29 * 60 + random.nextInt(180)));
        if (random.nextInt(5) > 0) {
            places.waits.put("b", Duration.ofSeconds(29 * 60 + random.nextInt(180)));
        }
        places.waits.put("c", Duration.ofMinutes(random.nextInt(90)));
        return places;
    }

    /** Lives through the deaths at these steps, the last process to the end; gives the job it says. */
    private JobHandle live(PlayedPlaces places, List<Integer> deaths) {
        DoorProcess process = new DoorProcess(places, deaths.get(0));
        int next = 1;
        for (int i = 0; i < 6000 && !(process.placer.result().isDone() && !process.dead); i++) {
            clock.advance(Duration.ofSeconds(5));
            if (process.dead) {
                process = new DoorProcess(places, next < deaths.size() ? deaths.get(next++) : Integer.MAX_VALUE);
            }
        }
        return process.placer.result().join();
    }

    private void assertOneRuns(PlayedPlaces places, JobHandle placed, String story) {
        List<PlayedPlaces.Played> ran =
                places.jobs.values().stream().filter(PlayedPlaces.Played::ran).toList();
        assertThat(ran.stream().filter(job -> job.killedAt().isEmpty()).map(job -> job.handle))
                .as("runs to its end: %s", story)
                .containsExactly(placed);
        for (PlayedPlaces.Played one : ran) {
            for (PlayedPlaces.Played other : ran) {
                assertThat(one == other
                                || !one.over().isAfter(other.starts)
                                || !other.over().isAfter(one.starts))
                        .as("two run at a time: %s", story)
                        .isTrue();
            }
        }
    }

    /** Kills it at some random steps, in so many runs. */
    final void killAtRandom(int runs, boolean sparesBegun) {
        MONITOR.setLevel(Level.OFF);
        int elsewhere = 0;
        for (int seed = 0; seed < runs; seed++) {
            Random random = new Random(seed);
            disk.clear();
            unanswered.clear();
            PlayedPlaces places = places(random, sparesBegun, 0.05);
            List<Integer> deaths = new ArrayList<>();
            for (int i = 0; i <= random.nextInt(8); i++) {
                deaths.add(random.nextInt(120));
            }

            JobHandle placed = live(places, deaths);

            assertOneRuns(places, placed, "seed " + seed + ", killed after steps " + deaths);
            elsewhere += placed.target().equals("a") ? 0 : 1;
        }
        assertThat(elsewhere).as("runs that moved").isBetween(runs / 4, runs - 10);
    }

    /** Kills it once, in a run for each {@code every}th step of a move. */
    final void killAtSteps(int every, boolean sparesBegun) {
        MONITOR.setLevel(Level.OFF);
        for (int step = 0; step < 400; step += every) {
            disk.clear();
            unanswered.clear();
            PlayedPlaces places = new PlayedPlaces(new Random(step), clock, sparesBegun, 0);
            places.waits.put("a", Duration.ofSeconds(30 * 60 + step % 80));
            places.waits.put("b", Duration.ofHours(2));
            places.waits.put("c", Duration.ofHours(1));

            JobHandle placed = live(places, List.of(step));

            assertOneRuns(places, placed, "killed at step " + step);
        }
    }
}
