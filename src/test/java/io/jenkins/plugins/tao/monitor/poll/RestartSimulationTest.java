package io.jenkins.plugins.tao.monitor.poll;

import static org.assertj.core.api.Assertions.assertThat;

import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.backend.Stream;
import io.jenkins.plugins.tao.job.Ending;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.JobStatus;
import io.jenkins.plugins.tao.job.Outcome;
import io.jenkins.plugins.tao.monitor.JobEvent;
import io.jenkins.plugins.tao.monitor.JobEvent.Lines;
import io.jenkins.plugins.tao.monitor.JobEvent.StatusChanged;
import io.jenkins.plugins.tao.monitor.Simulation;
import io.jenkins.plugins.tao.monitor.Watch;
import io.jenkins.plugins.tao.monitor.WatchMemory;
import io.jenkins.plugins.tao.monitor.WatchPlan;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What a later process knows of an earlier one's watch. */
class RestartSimulationTest extends Simulation {
    @Test
    @Promise("SL-74")
    void aLaterProcessGoesOnWhereTheFirstOneStopped() {
        JobHandle job = given(1, RUNNING);
        Watch first = watch(job);
        cluster.write(job, Stream.OUT, "one\ntwo\nthr");
        ticker.advance(Duration.ofMinutes(1));
        cluster.write(job, Stream.OUT, "ee\n");
        ticker.advance(Duration.ofMinutes(1));
        first.detach();
        cluster.write(job, Stream.OUT, "four\n");

        monitor().watch(target, job, WatchPlan.defaults(), memory, events::add);
        ticker.advance(Duration.ofMinutes(1));

        assertThat(told(Lines.class)).flatExtracting(Lines::lines).containsExactly("one", "two", "three", "four");
        assertThat(told(StatusChanged.class)).hasSize(1);
    }

    @Test
    void aCancelRequestOutlivesTheProcess() {
        JobHandle job = given(1, RUNNING);
        Watch first = watch(job);
        cluster.fallSilent(silence());
        first.cancel("alice");
        first.detach();
        cluster.answerAgain();

        monitor().watch(target, job, WatchPlan.defaults(), memory, events::add);
        ticker.advance(Duration.ofMinutes(1));

        assertThat(cluster.cancelled).contains(job);
    }

    @Test
    @Promise("SL-74")
    void aWatchThatIsLeftBetweenTwoSavesRepeatsNoLine() {
        JobHandle job = given(1, RUNNING);
        Watch first = watch(job);
        ticker.advance(Duration.ofMinutes(1));
        cluster.write(job, Stream.OUT, "one\n");
        whileLinesTold(1);
        cluster.write(job, Stream.OUT, "two\nthr");
        whileLinesTold(2);
        first.detach();
        cluster.write(job, Stream.OUT, "ee\n");

        monitor().watch(target, job, WatchPlan.defaults(), memory, events::add);
        ticker.advance(Duration.ofMinutes(1));

        assertThat(told(Lines.class)).flatExtracting(Lines::lines).containsExactly("one", "two", "three");
    }

    @Test
    void aMemoryThatCannotBeWrittenStopsNoWatch() {
        JobHandle job = given(1, RUNNING);
        monitor.watch(target, job, WatchPlan.defaults(), new FullDisk(), events::add);
        ticker.advance(Duration.ofMinutes(1));
        cluster.set(job, JobStatus.ended(Ending.COMPLETED, "COMPLETED").withExitCode(0));
        ticker.advance(Duration.ofMinutes(1));

        assertThat(outcome()).isEqualTo(new Outcome.Succeeded());
    }

    private record FullDisk() implements WatchMemory {
        @Override
        public Optional<String> load() {
            return Optional.empty();
        }

        @Override
        public void save(String record) {
            throw new UncheckedIOException(new IOException("No space left on device"));
        }
    }

    @Test
    void linesThatNobodyHeardBecauseTheWatchWasLeftAreToldByTheNextOne() {
        JobHandle job = given(1, PENDING);
        List<Watch> first = new ArrayList<>();
        first.add(monitor.watch(target, job, WatchPlan.defaults(), memory, event -> {
            events.add(event);
            if (event instanceof StatusChanged changed && changed.now().equals(RUNNING)) {
                first.get(0).detach();
            }
        }));
        ticker.advance(Duration.ofMinutes(1));
        cluster.write(job, Stream.OUT, "one\n");
        cluster.set(job, RUNNING);
        ticker.advance(Duration.ofMinutes(1));
        assertThat(told(Lines.class)).isEmpty();

        monitor().watch(target, job, WatchPlan.defaults(), memory, events::add);
        ticker.advance(Duration.ofMinutes(1));

        assertThat(told(Lines.class)).flatExtracting(Lines::lines).containsExactly("one");
    }

    @Test
    void aLineThatWasToldIsNotToldAgainAfterAnOrderlyRestart() {
        JobHandle job = given(1, RUNNING);
        watch(job);
        cluster.write(job, Stream.OUT, "before\n");
        ticker.advance(Duration.ofSeconds(3));
        List<JobEvent> later = new ArrayList<>();

        monitor.close();
        monitor().watch(target, job, WatchPlan.defaults(), memory, later::add);
        cluster.write(job, Stream.OUT, "after\n");
        ticker.advance(Duration.ofSeconds(30));

        assertThat(told(Lines.class)).flatExtracting(Lines::lines).startsWith("before");
        assertThat(later.stream().filter(Lines.class::isInstance).map(Lines.class::cast))
                .flatExtracting(Lines::lines)
                .containsExactly("after");
    }

    @Test
    void aLineLongToldIsNotToldAgainAfterACrashInASilentPhase() {
        JobHandle job = given(1, RUNNING);
        watch(job);
        cluster.write(job, Stream.OUT, "before\n");
        whileLinesTold(1);
        ticker.advance(Duration.ofMinutes(1));
        List<JobEvent> later = new ArrayList<>();

        monitor().watch(target, job, WatchPlan.defaults(), memory, later::add);
        ticker.advance(Duration.ofSeconds(30));

        assertThat(later).noneMatch(Lines.class::isInstance);
    }

    private void whileLinesTold(int events) {
        for (int second = 0; second < 60 && told(Lines.class).size() < events; second++) {
            ticker.advance(Duration.ofSeconds(1));
        }
    }
}
