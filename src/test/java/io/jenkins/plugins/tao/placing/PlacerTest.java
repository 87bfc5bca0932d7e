package io.jenkins.plugins.tao.placing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.JobKey;
import io.jenkins.plugins.tao.job.Outcome;
import io.jenkins.plugins.tao.job.Progress;
import io.jenkins.plugins.tao.monitor.JobEvent;
import io.jenkins.plugins.tao.monitor.JobObserver;
import io.jenkins.plugins.tao.monitor.JobResult;
import io.jenkins.plugins.tao.monitor.ManualTicker;
import io.jenkins.plugins.tao.monitor.Watch;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** A job that waits for its parent. */
class PlacerTest {
    private static final JobHandle PARENT =
            new JobHandle("a", "played", new JobKey("parent"), 1, "7", "/jobs", "/results", Instant.EPOCH);

    private final ManualTicker clock = new ManualTicker(Instant.EPOCH);
    private final Parent door = new Parent();

    private Placer start() {
        Placing placing = Placing.begin(new JobKey("child"), List.of("a"), Optional.of(PARENT));
        return Placer.start(door, placing, false, clock, Runnable::run);
    }

    @Test
    @Promise("NS-11")
    void aParentThatFailedForGoodSendsNothing() {
        Placer placer = start();
        door.ends(Outcome.Cause.NODE_FAILURE);
        assertThat(placer.result()).isNotDone(); // its next attempt may begin

        clock.advance(Duration.ofMinutes(3));

        assertThatThrownBy(() -> placer.result().join()).hasMessageContaining("Nothing was sent: the job parent");
    }

    @Test
    @Promise("NS-11")
    void aFullDiskAfterTheParentFailedIsToldAndNotWaitedForForEver() {
        Placer placer = start();
        door.full = true;
        door.ends(Outcome.Cause.NODE_FAILURE);

        clock.advance(Duration.ofMinutes(3));

        assertThat(placer.result()).isCompletedExceptionally();
        assertThatThrownBy(() -> placer.result().join()).hasMessageContaining("no space");
    }

    /** A door behind which the parent alone lives. */
    private static final class Parent implements Door {
        private boolean full;
        private Optional<JobObserver> observer = Optional.empty();

        void ends(Outcome.Cause cause) {
            observer.orElseThrow()
                    .on(new JobEvent.Ended(new JobResult(
                            PARENT,
                            new Outcome.Failed(cause, "gpu-07"),
                            OptionalInt.empty(),
                            Progress.NONE,
                            Optional.empty(),
                            Instant.EPOCH,
                            List.of(),
                            List.of(),
                            Set.of())));
        }

        @Override
        public void save(Placing placing) {
            if (full) {
                throw new UncheckedIOException("no space", new IOException());
            }
        }

        @Override
        public Watch watchParent(JobHandle parent, JobObserver seen) {
            observer = Optional.of(seen);
            return (Watch) Proxy.newProxyInstance(
                    Watch.class.getClassLoader(), new Class<?>[] {Watch.class}, (proxy, method, words) -> null);
        }

        @Override
        public JobHandle newest(JobHandle job) {
            return job;
        }

        @Override
        public void say(String line) {}

        @Override
        public Turn turn(Leg leg) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void turnOver(Leg leg) {}

        @Override
        public boolean waitsWhenRefused(Leg leg) {
            return false;
        }

        @Override
        public Optional<Duration> startWithin() {
            return Optional.empty();
        }

        @Override
        public CompletableFuture<JobHandle> send(Next.Send send, boolean resumed) {
            throw new UnsupportedOperationException();
        }

        @Override
        public boolean mayBeThere(Leg leg) {
            return false;
        }

        @Override
        public Watch watch(JobHandle job, JobObserver seen) {
            throw new UnsupportedOperationException();
        }

        @Override
        public Inherited inherit(JobHandle parent) {
            return Inherited.NOTHING;
        }
    }
}
