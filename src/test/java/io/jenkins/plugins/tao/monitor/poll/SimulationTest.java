package io.jenkins.plugins.tao.monitor.poll;

import static org.assertj.core.api.Assertions.assertThat;

import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.backend.BackendTypes;
import io.jenkins.plugins.tao.backend.Controller;
import io.jenkins.plugins.tao.backend.Stream;
import io.jenkins.plugins.tao.job.Ending;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.JobStatus;
import io.jenkins.plugins.tao.job.Outcome;
import io.jenkins.plugins.tao.monitor.JobEvent;
import io.jenkins.plugins.tao.monitor.JobEvent.Ended;
import io.jenkins.plugins.tao.monitor.JobEvent.Lines;
import io.jenkins.plugins.tao.monitor.JobEvent.Notice;
import io.jenkins.plugins.tao.monitor.JobEvent.StatusChanged;
import io.jenkins.plugins.tao.monitor.JobEvent.Unreachable;
import io.jenkins.plugins.tao.monitor.Simulation;
import io.jenkins.plugins.tao.monitor.Watch;
import io.jenkins.plugins.tao.monitor.WatchPlan;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** Days of watching in milliseconds. */
class SimulationTest extends Simulation {
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
        ticker.advance(Duration.ofSeconds(20));
        cluster.answerAgain();
        ticker.advance(Duration.ofMinutes(1));

        assertThat(told(Unreachable.class)).isEmpty();
        assertThat(told(JobEvent.Reachable.class)).isEmpty();
    }

    @Test
    @Promise("TR-63")
    void anOutageOfAMinuteIsAnEventAndSoIsItsEnd() {
        JobHandle job = given(1, RUNNING);
        watch(job);
        ticker.advance(Duration.ofMinutes(10));
        cluster.fallSilent(silence());
        ticker.advance(Duration.ofSeconds(60));
        cluster.answerAgain();
        ticker.advance(Duration.ofSeconds(16));

        assertThat(told(Unreachable.class)).hasSize(1);
        assertThat(told(JobEvent.Reachable.class)).hasSize(1);
    }

    @Test
    @Promise("TR-63")
    void anEndIsSeenWithinAnIntervalAfterAnOutageOfHours() {
        JobHandle job = given(1, RUNNING);
        watch(job);
        ticker.advance(Duration.ofMinutes(10));
        for (int i = 1; i <= 9; i++) { // whatever the time since the last try was
            cluster.fallSilent(silence());
            ticker.advance(Duration.ofMinutes(10).plusSeconds(7L * i));
            cluster.answerAgain();
            ticker.advance(Duration.ofSeconds(15));
            assertThat(told(JobEvent.Reachable.class)).hasSize(i);
        }
        cluster.fallSilent(silence());
        ticker.advance(Duration.ofHours(3));
        cluster.set(job, JobStatus.ended(Ending.COMPLETED, "COMPLETED").withExitCode(0));
        cluster.answerAgain();
        ticker.advance(Duration.ofSeconds(15));

        assertThat(outcome()).isEqualTo(new Outcome.Succeeded());
    }

    @Test
    @Promise("TR-63")
    void logsGoOnWhileOnlyTheSchedulerDoesNotAnswer() {
        JobHandle job = given(1, RUNNING);
        watch(job);
        ticker.advance(Duration.ofMinutes(10));
        cluster.scheduler(
                Optional.of(BackendException.Unreachable.schedulerAlone("squeue on sim does not answer.", "Wait.")));
        cluster.write(job, Stream.OUT, "written in the outage\n");
        ticker.advance(Duration.ofSeconds(30));

        assertThat(told(Lines.class)).flatExtracting(Lines::lines).containsExactly("written in the outage");
        assertThat(told(Ended.class)).isEmpty();
        cluster.scheduler(Optional.empty());
        cluster.write(job, Stream.OUT, "and after\n");
        ticker.advance(Duration.ofSeconds(16));
        assertThat(told(Lines.class))
                .flatExtracting(Lines::lines)
                .containsExactly("written in the outage", "and after");
    }

    @Test
    @Promise("TR-63")
    void aHostThatDoesNotAnswerIsNotAskedForFilesToo() {
        JobHandle job = given(1, RUNNING);
        watch(job);
        ticker.advance(Duration.ofMinutes(10));
        int before = cluster.reads.get();
        cluster.fallSilent(silence());
        ticker.advance(Duration.ofMinutes(10));

        assertThat(cluster.reads.get()).isEqualTo(before);
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
    @Promise("TR-52")
    void aJobTheBackendDoesNotKnowIsReportedAtOnceAndOnce() {
        JobHandle job = given(1, RUNNING);
        watch(job);
        ticker.advance(Duration.ofMinutes(2));
        assertThat(told(Notice.class)).isEmpty();

        cluster.forget(job);
        ticker.advance(Duration.ofMinutes(1));

        assertThat(told(Notice.class)).hasSize(1);
        assertThat(told(Notice.class).get(0).text()).contains("does not know", job.shortName(), "10 minutes");
        ticker.advance(Duration.ofMinutes(5));
        assertThat(told(Notice.class)).hasSize(1);
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
    void aCancelRequestIsRepeatedUntilTheJobHasEnded() {
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
    void aRefusedCancelIsToldOnceAndTheWatchGoesOn() {
        JobHandle job = given(1, RUNNING);
        Watch watch = watch(job);
        cluster.refusal = Optional.of(new BackendException.Rejected("held by another", "Take it over."));
        watch.cancel("alice");
        ticker.advance(Duration.ofMinutes(10));

        assertThat(told(JobEvent.CancelRefused.class))
                .containsExactly(new JobEvent.CancelRefused("held by another", "Take it over."));
        assertThat(told(Unreachable.class)).isEmpty();
        cluster.set(job, JobStatus.ended(Ending.COMPLETED, "COMPLETED").withExitCode(0));
        ticker.advance(Duration.ofMinutes(5));
        assertThat(outcome()).isInstanceOf(Outcome.Succeeded.class);
    }

    @Test
    void aNoticeOfTheBackendIsToldOnce() {
        JobHandle job = given(1, RUNNING.withNotice("memory grows"));
        watch(job);
        ticker.advance(Duration.ofMinutes(10));
        cluster.set(job, RUNNING.withNotice("memory grows").withNotice("held by another"));
        ticker.advance(Duration.ofMinutes(10));

        assertThat(told(JobEvent.Notice.class))
                .containsExactly(new JobEvent.Notice("memory grows"), new JobEvent.Notice("held by another"));
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
        // a round for each job that is added would look at those before it again
        List<Runnable> first = new ArrayList<>();
        AtomicReference<Executor> now = new AtomicReference<>(first::add);
        Executor io = round -> Objects.requireNonNull(now.get()).execute(round);
        Monitor many = new Monitor(new Connections(BackendTypes.of(cluster), ticker, io, Controller.NONE), ticker, io);
        for (int id = 1; id <= 1000; id++) {
            many.watch(target, given(id, RUNNING), WatchPlan.defaults(), new KeptInMemory(), events::add);
        }
        now.set(Runnable::run);
        first.forEach(Runnable::run);
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
}
