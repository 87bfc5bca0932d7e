package io.jenkins.plugins.tao.monitor;

import static org.assertj.core.api.Assertions.assertThat;

import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.backend.BackendTypes;
import io.jenkins.plugins.tao.backend.Stream;
import io.jenkins.plugins.tao.backend.Target;
import io.jenkins.plugins.tao.job.Ending;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.JobState;
import io.jenkins.plugins.tao.job.JobStatus;
import io.jenkins.plugins.tao.job.Outcome;
import io.jenkins.plugins.tao.monitor.JobEvent.Ended;
import io.jenkins.plugins.tao.monitor.JobEvent.Lines;
import io.jenkins.plugins.tao.monitor.JobEvent.StatusChanged;
import io.jenkins.plugins.tao.monitor.JobEvent.Unreachable;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Days of watching in milliseconds. */
class SimulationTest {
    private static final Instant START = Instant.parse("2026-11-21T00:00:00Z");
    private static final JobStatus PENDING =
            JobStatus.live(JobState.PENDING, "PENDING").withReason("Priority");
    private static final JobStatus RUNNING = JobStatus.live(JobState.RUNNING, "RUNNING")
            .withNodes(List.of("gpu01"))
            .withRuns(1);
    private static final JobStatus NODE_FAIL =
            JobStatus.ended(Ending.NODE_FAILURE, "NODE_FAIL").withNodes(List.of("gpu01"));

    private final ManualTicker ticker = new ManualTicker(START);
    private final SimulatedCluster cluster = new SimulatedCluster();
    private final Target target = new SimulatedCluster.Place("sim");
    private final Monitor monitor = monitor();
    private final List<JobEvent> events = new ArrayList<>();
    private final KeptInMemory memory = new KeptInMemory();

    private Monitor monitor() {
        return new Monitor(new Connections(BackendTypes.of(cluster), ticker, Runnable::run), ticker, Runnable::run);
    }

    private Watch watch(JobHandle job) {
        return monitor.watch(target, job, WatchPlan.defaults(), memory, events::add);
    }

    private JobHandle given(int id, JobStatus status) {
        JobHandle job = SimulatedCluster.handle(id, ticker.now());
        cluster.set(job, status);
        return job;
    }

    private <E extends JobEvent> List<E> told(Class<E> kind) {
        return events.stream().filter(kind::isInstance).map(kind::cast).toList();
    }

    private Outcome outcome() {
        assertThat(told(Ended.class)).hasSize(1);
        return told(Ended.class).get(0).result().outcome();
    }

    private static BackendException silence() {
        return new BackendException.Unreachable("'sim' does not answer.", "Wait.");
    }

    @Test
    @Promise({"SL-59", "SL-61", "GE-17"})
    void aQueueOfThreeDaysNeverEndsTheWatch() {
        JobHandle job = given(1, PENDING);

        watch(job);
        ticker.advance(Duration.ofDays(3));

        assertThat(told(Ended.class)).isEmpty();
        assertThat(told(StatusChanged.class)).hasSize(1);
        assertThat(cluster.polls.get()).isLessThan(3 * 24 * 125);
    }

    @Test
    void aJobIsToldFromQueueToSuccess() {
        JobHandle job = given(1, PENDING);
        watch(job);
        ticker.advance(Duration.ofMinutes(5));
        cluster.set(job, RUNNING);
        cluster.write(job, Stream.OUT, "hello\nhalf");
        ticker.advance(Duration.ofMinutes(1));
        cluster.write(job, Stream.OUT, " line\n");
        cluster.set(job, JobStatus.ended(Ending.COMPLETED, "COMPLETED").withExitCode(0));
        ticker.advance(Duration.ofMinutes(1));

        assertThat(told(StatusChanged.class))
                .extracting(StatusChanged::before)
                .containsExactly("", "PENDING", "RUNNING");
        assertThat(told(Lines.class)).flatExtracting(Lines::lines).containsExactly("hello", "half line");
        assertThat(outcome()).isEqualTo(new Outcome.Succeeded());
    }

    @Test
    @Promise("SL-58")
    void completedWithAFailureLineIsAFailure() {
        JobHandle job = given(1, JobStatus.ended(Ending.COMPLETED, "COMPLETED").withExitCode(0));
        cluster.write(job, Stream.STATUS, "{\"status\":\"FAILURE\",\"message\":\"no such dataset\"}\n");

        watch(job);
        ticker.advance(Duration.ofMinutes(5));

        assertThat(outcome()).isInstanceOfSatisfying(Outcome.Failed.class, failed -> {
            assertThat(failed.cause()).isEqualTo(Outcome.Cause.PROGRAM);
            assertThat(failed.detail()).contains("no such dataset");
        });
    }

    @Test
    void theSchedulersWordAloneIsNoSuccess() {
        JobHandle job = given(1, JobStatus.ended(Ending.COMPLETED, "COMPLETED"));

        watch(job);
        ticker.advance(Duration.ofSeconds(50));

        assertThat(told(Ended.class)).isEmpty();
        ticker.advance(Duration.ofSeconds(20));
        assertThat(outcome())
                .isInstanceOfSatisfying(
                        Outcome.Failed.class,
                        failed -> assertThat(failed.cause()).isEqualTo(Outcome.Cause.UNCONFIRMED));
    }

    @Test
    void anExitRecordThatComesLateStillCounts() {
        JobHandle job = given(1, JobStatus.ended(Ending.COMPLETED, "COMPLETED"));
        watch(job);
        ticker.advance(Duration.ofSeconds(40));
        cluster.set(job, JobStatus.ended(Ending.COMPLETED, "COMPLETED").withExitCode(0));
        ticker.advance(Duration.ofSeconds(10));

        assertThat(outcome()).isEqualTo(new Outcome.Succeeded());
    }

    @Test
    @Promise("GB-35")
    void tenHoursWithoutAnAnswerDoNotEndAJob() {
        JobHandle job = given(1, RUNNING);
        watch(job);
        ticker.advance(Duration.ofMinutes(1));
        cluster.fallSilent(silence());
        ticker.advance(Duration.ofHours(10));
        cluster.answerAgain();
        cluster.set(job, JobStatus.ended(Ending.COMPLETED, "COMPLETED").withExitCode(0));
        ticker.advance(Duration.ofMinutes(2));

        assertThat(told(Unreachable.class)).hasSizeBetween(55, 61);
        assertThat(told(JobEvent.Reachable.class)).hasSize(1);
        assertThat(outcome()).isEqualTo(new Outcome.Succeeded());
    }

    @Test
    void aShortSilenceIsNotTold() {
        JobHandle job = given(1, RUNNING);
        watch(job);
        ticker.advance(Duration.ofMinutes(1));
        cluster.fallSilent(silence());
        ticker.advance(Duration.ofSeconds(90));
        cluster.answerAgain();
        ticker.advance(Duration.ofMinutes(1));

        assertThat(told(Unreachable.class)).isEmpty();
        assertThat(told(JobEvent.Reachable.class)).isEmpty();
    }

    @Test
    void silenceBeyondAllPatienceLosesTheJob() {
        JobHandle job = given(1, RUNNING);
        watch(job);
        cluster.fallSilent(silence());
        ticker.advance(Duration.ofHours(25));

        assertThat(outcome()).isEqualTo(new Outcome.Lost(START));
    }

    @Test
    void aRefusedKeyIsToldAtOnceAndAskedForSeldom() {
        JobHandle job = given(1, RUNNING);
        watch(job);
        ticker.advance(Duration.ofMinutes(1));
        cluster.fallSilent(new BackendException.Denied("The key was refused.", "Install it."));
        int before = cluster.polls.get();
        ticker.advance(Duration.ofHours(1));

        assertThat(told(Unreachable.class)).isNotEmpty();
        assertThat(cluster.polls.get() - before).isLessThan(13);
    }

    @Test
    void aJobTheBackendDoesNotKnowIsLostOnlyAfterAWhile() {
        JobHandle job = given(1, RUNNING);
        watch(job);
        ticker.advance(Duration.ofMinutes(1));
        cluster.forget(job);
        ticker.advance(Duration.ofMinutes(9));

        assertThat(told(Ended.class)).isEmpty();
        ticker.advance(Duration.ofMinutes(2));
        assertThat(outcome()).isInstanceOf(Outcome.Lost.class);
    }

    @Test
    @Promise({"SL-68", "SL-84"})
    void elevenNodeFailuresGiveTenNewAttemptsAndThenAFailure() {
        JobHandle job = given(1, NODE_FAIL);
        watch(job);
        for (JobHandle next = job; cluster.submissions.get() < 10; ) {
            ticker.advance(Duration.ofSeconds(5));
            next = told(JobEvent.AttemptStarted.class)
                    .get(cluster.submissions.get() - 1)
                    .next();
            cluster.set(next, NODE_FAIL);
        }
        ticker.advance(Duration.ofMinutes(5));

        assertThat(cluster.submissions).hasValue(10);
        assertThat(cluster.avoided()).containsOnly(java.util.Set.of("gpu01"));
        assertThat(told(Ended.class).get(0).result().attempts()).hasSize(10);
        assertThat(outcome())
                .isInstanceOfSatisfying(
                        Outcome.Failed.class,
                        failed -> assertThat(failed.cause()).isEqualTo(Outcome.Cause.NODE_FAILURE));
    }

    @Test
    @Promise("SL-70")
    void aNewAttemptKeepsTheJobsIdAndDropsWhatTheOldOneSaid() {
        JobHandle job = given(1, RUNNING);
        watch(job);
        cluster.write(job, Stream.STATUS, "{\"status\":\"FAILURE\"}\n");
        ticker.advance(Duration.ofMinutes(1));
        cluster.set(job, NODE_FAIL);
        ticker.advance(Duration.ofMinutes(1));
        JobHandle next = told(JobEvent.AttemptStarted.class).get(0).next();
        cluster.set(next, JobStatus.ended(Ending.COMPLETED, "COMPLETED").withExitCode(0));
        ticker.advance(Duration.ofMinutes(1));

        assertThat(next.key()).isEqualTo(job.key());
        assertThat(next.attempt()).isEqualTo(2);
        assertThat(next.nativeId()).isNotEqualTo(job.nativeId());
    }

    @Test
    @Promise("SL-72")
    void aFailedProgramIsNotTriedAgain() {
        JobHandle job = given(1, JobStatus.ended(Ending.FAILED, "FAILED").withExitCode(1));
        cluster.write(job, Stream.ERR, "Traceback (most recent call last):\nKeyError: 'results_dir'\n");

        watch(job);
        ticker.advance(Duration.ofMinutes(1));

        assertThat(cluster.submissions).hasValue(0);
        assertThat(outcome()).isInstanceOf(Outcome.Failed.class);
        assertThat(told(Ended.class).get(0).result().lastLines()).contains("KeyError: 'results_dir'");
    }

    @Test
    void aCancelWishIsRepeatedUntilTheJobHasEnded() {
        JobHandle job = given(1, RUNNING);
        Watch watch = watch(job);
        ticker.advance(Duration.ofMinutes(1));
        cluster.fallSilent(silence());
        watch.cancel("alice");
        ticker.advance(Duration.ofMinutes(10));
        cluster.answerAgain();
        ticker.advance(Duration.ofMinutes(2));

        assertThat(cluster.cancelled).hasSizeGreaterThan(1).containsOnly(job);
        cluster.set(job, JobStatus.ended(Ending.CANCELLED, "CANCELLED"));
        ticker.advance(Duration.ofMinutes(1));
        assertThat(outcome()).isEqualTo(new Outcome.Cancelled("alice"));
    }

    @Test
    void aCancelledJobIsNotTriedAgainWhenItsNodeFails() {
        JobHandle job = given(1, RUNNING);
        Watch watch = watch(job);
        ticker.advance(Duration.ofMinutes(1));
        watch.cancel("alice");
        cluster.set(job, NODE_FAIL);
        ticker.advance(Duration.ofMinutes(1));

        assertThat(cluster.submissions).hasValue(0);
        assertThat(outcome()).isEqualTo(new Outcome.Cancelled("alice"));
    }

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
    void aCancelWishOutlivesTheProcess() {
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
    @Promise("SL-76")
    void aRunThatTheSchedulerRequeuedIsNotStartedTwice() {
        JobHandle job = given(1, RUNNING);
        watch(job);
        cluster.write(job, Stream.STATUS, "{\"status\":\"FAILURE\",\"message\":\"interrupted\"}\n");
        ticker.advance(Duration.ofMinutes(1));
        cluster.set(
                job,
                JobStatus.live(JobState.PENDING, "PENDING")
                        .withReason("BeginTime")
                        .withRuns(1));
        ticker.advance(Duration.ofMinutes(2));
        cluster.set(job, RUNNING.withRuns(2));
        ticker.advance(Duration.ofMinutes(2));
        cluster.set(
                job,
                JobStatus.ended(Ending.COMPLETED, "COMPLETED").withExitCode(0).withRuns(2));
        ticker.advance(Duration.ofMinutes(2));

        assertThat(cluster.submissions).hasValue(0);
        assertThat(outcome()).isEqualTo(new Outcome.Succeeded());
    }

    @Test
    void aReplacedStatusFileIsReadFromItsStart() {
        JobHandle job = given(1, RUNNING);
        watch(job);
        cluster.write(job, Stream.STATUS, "{\"status\":\"RUNNING\",\"epoch\":5,\"max_epoch\":9}\n");
        ticker.advance(Duration.ofMinutes(1));
        cluster.replace(job, Stream.STATUS, "{\"status\":\"RUNNING\",\"epoch\":0,\"max_epoch\":9}\n");
        ticker.advance(Duration.ofMinutes(1));

        assertThat(told(JobEvent.Advanced.class))
                .last()
                .satisfies(event ->
                        assertThat(event.progress().epoch().getAsDouble()).isZero());
    }

    @Test
    @Promise("GE-21")
    void aThousandJobsCostTwoCallsARound() {
        for (int id = 1; id <= 1000; id++) {
            monitor.watch(target, given(id, RUNNING), WatchPlan.defaults(), new KeptInMemory(), events::add);
        }
        ticker.advance(Duration.ofMinutes(10));
        int polls = cluster.polls.get();
        int reads = cluster.reads.get();
        ticker.advance(Duration.ofMinutes(10));

        assertThat(cluster.polls.get() - polls).isBetween(39, 41);
        assertThat(cluster.reads.get() - reads).isBetween(39, 41);
        assertThat(cluster.opened).isEqualTo(1);
    }

    @Test
    void nothingIsAskedAndNoConnectionKeptWhenNothingIsWatched() {
        JobHandle job = given(1, JobStatus.ended(Ending.COMPLETED, "COMPLETED").withExitCode(0));
        watch(job);
        ticker.advance(Duration.ofMinutes(2));
        int polls = cluster.polls.get();
        ticker.advance(Duration.ofHours(1));

        assertThat(cluster.polls).hasValue(polls);
        assertThat(cluster.closed).isEqualTo(1);
        assertThat(ticker.waiting()).isZero();
    }

    @Test
    void twoWatchesOfOneJobBothHearOfItsEnd() {
        JobHandle job = given(1, RUNNING);
        watch(job);
        List<JobEvent> others = new ArrayList<>();
        monitor.watch(target, job, WatchPlan.defaults(), new KeptInMemory(), others::add);
        cluster.write(job, Stream.OUT, "hello\n");
        ticker.advance(Duration.ofMinutes(1));
        cluster.set(job, JobStatus.ended(Ending.COMPLETED, "COMPLETED").withExitCode(0));
        ticker.advance(Duration.ofMinutes(1));

        assertThat(outcome()).isEqualTo(new Outcome.Succeeded());
        assertThat(others).anyMatch(Lines.class::isInstance).last().isInstanceOf(Ended.class);
    }

    @Test
    void aLineThatWasToldIsNotToldAgainAfterAnOrderlyRestart() {
        JobHandle job = given(1, RUNNING);
        watch(job);
        cluster.write(job, Stream.OUT, "before\n");
        ticker.advance(Duration.ofSeconds(3));
        monitor.keep();
        List<JobEvent> later = new ArrayList<>();

        monitor().watch(target, job, WatchPlan.defaults(), memory, later::add);
        cluster.write(job, Stream.OUT, "after\n");
        ticker.advance(Duration.ofSeconds(30));

        assertThat(told(Lines.class)).flatExtracting(Lines::lines).startsWith("before");
        assertThat(later.stream().filter(Lines.class::isInstance).map(Lines.class::cast))
                .flatExtracting(Lines::lines)
                .containsExactly("after");
    }

    @Test
    void anObserverThatThrowsDoesNotStopTheOthers() {
        JobHandle bad = given(1, RUNNING);
        JobHandle good = given(2, RUNNING);
        monitor.watch(target, bad, WatchPlan.defaults(), new KeptInMemory(), event -> {
            throw new IllegalStateException("planted");
        });
        watch(good);
        cluster.set(good, JobStatus.ended(Ending.COMPLETED, "COMPLETED").withExitCode(0));
        ticker.advance(Duration.ofMinutes(1));

        assertThat(outcome()).isEqualTo(new Outcome.Succeeded());
    }

    @Test
    void aLogLargerThanOneRoundIsToldWholeBeforeTheEnd() {
        JobHandle job = given(1, RUNNING);
        watch(job);
        cluster.write(job, Stream.OUT, "0123456789\n".repeat(5000));
        cluster.set(job, JobStatus.ended(Ending.COMPLETED, "COMPLETED").withExitCode(0));
        ticker.advance(Duration.ofMinutes(1));

        assertThat(told(Lines.class)).flatExtracting(Lines::lines).hasSize(5000);
        assertThat(events).last().isInstanceOf(Ended.class);
    }

    /** A memory as a door keeps it. */
    private static final class KeptInMemory implements WatchMemory {
        private final Map<String, String> kept = new java.util.HashMap<>();

        @Override
        public Optional<String> load() {
            return Optional.ofNullable(kept.get("record"));
        }

        @Override
        public void save(String record) {
            kept.put("record", record);
        }
    }
}
