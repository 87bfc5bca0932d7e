package io.jenkins.plugins.tao.dispatch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.backend.BackendTypes;
import io.jenkins.plugins.tao.backend.Controller;
import io.jenkins.plugins.tao.backend.Diagnosis;
import io.jenkins.plugins.tao.backend.Report;
import io.jenkins.plugins.tao.backend.Target;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.JobKey;
import io.jenkins.plugins.tao.job.JobSpec;
import io.jenkins.plugins.tao.job.Outcome;
import io.jenkins.plugins.tao.monitor.ManualTicker;
import io.jenkins.plugins.tao.monitor.SimulatedCluster;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class DispatcherTest {
    private static final JobKey KEY = new JobKey("job-1");
    private final BackendException silence = new BackendException.Unreachable("'sim' does not answer.", "Wait.");

    private final ManualTicker ticker = new ManualTicker(Instant.EPOCH);
    private final SimulatedCluster cluster = new SimulatedCluster();
    private final Target target = new SimulatedCluster.Place("sim");
    private final Heard heard = new Heard();
    private final Dispatcher dispatcher = new Dispatcher(
            BackendTypes.of(cluster), ticker, new Workers(new AtOnce(), new AtOnce(), new AtOnce()), Controller.NONE);

    private CompletableFuture<JobHandle> submit(String command, boolean resumed) {
        return dispatcher.submit(target, JobSpec.of(command).build(), KEY, resumed, heard);
    }

    @Test
    void aCheckedJobIsSent() {
        CompletableFuture<JobHandle> job = submit("train", false);

        assertThat(job).isCompletedWithValueMatching(handle -> handle.key().equals(KEY));
        assertThat(heard.reports).hasSize(1);
    }

    /** Seen on a real GPU: a job ended for its idle GPU was said to be killed from outside. */
    @Test
    @Promise("NV-28")
    void theSignalThatEndsAStalledJobExplainsNothing() throws Exception {
        JobHandle job = submit("train", false).join();

        cluster.finds(new Diagnosis("Killed from outside.", "Ask who ends processes.", List.of("exit code: 143")));

        Diagnosis failed = dispatcher.diagnose(target, job, new Outcome.Failed(Outcome.Cause.PROGRAM, "exit code 143"));
        Diagnosis stalled = dispatcher.diagnose(target, job, new Outcome.Failed(Outcome.Cause.STALLED, "idle"));

        assertThat(failed.summary()).isNotEmpty();
        assertThat(stalled).isEqualTo(new Diagnosis("", "", failed.facts()));
    }

    @Test
    void aJobThatFailsAChecksIsNotSentAndToldWhy() {
        CompletableFuture<JobHandle> job = submit("refuse me", false);

        assertThat(cluster.submissions()).isZero();
        assertThatThrownBy(job::join)
                .cause()
                .isInstanceOf(BackendException.Rejected.class)
                .hasMessageEndingWith("command: asks to be refused.");
        assertThat(heard.reports).hasSize(1);
    }

    @Test
    void aSubmissionWithoutAnAnswerIsSentAgainUnderTheSameKey() {
        cluster.fallSilent(silence);
        CompletableFuture<JobHandle> job = submit("train", true);
        ticker.advance(Duration.ofMinutes(3));

        assertThat(job).isNotDone();
        cluster.answerAgain();
        ticker.advance(Duration.ofMinutes(1));
        assertThat(job).isCompletedWithValueMatching(handle -> handle.key().equals(KEY));
        assertThat(heard.pauses).startsWith(Duration.ofSeconds(5), Duration.ofSeconds(10), Duration.ofSeconds(20));
    }

    @Test
    void aSubmissionGivesUpAfterAnHour() {
        cluster.fallSilent(silence);
        CompletableFuture<JobHandle> job = submit("train", true);
        ticker.advance(Duration.ofMinutes(59));
        assertThat(job).isNotDone();
        ticker.advance(Duration.ofMinutes(1));

        assertThatThrownBy(job::join)
                .cause()
                .isInstanceOf(BackendException.Unreachable.class)
                .hasMessage("The submission of 'job-1' to 'sim' had no answer for 1h and was given up."
                        + " The last response: 'sim' does not answer.");
    }

    @Test
    @Promise("TR-40")
    void aSubmissionGivesUpAfterItsOwnTimeThoughItsAttemptsTakeLong() {
        cluster.fallSilent(silence);
        AtOnce slow = new AtOnce() {
            @Override
            public void execute(Runnable task) {
                ticker.after(Duration.ofMinutes(2), task);
            }
        };
        Dispatcher patient = new Dispatcher(
                BackendTypes.of(cluster), ticker, new Workers(new AtOnce(), slow, new AtOnce()), Controller.NONE);
        CompletableFuture<JobHandle> job =
                patient.submit(target, JobSpec.of("train").build(), KEY, true, heard, Duration.ofMinutes(10));
        ticker.advance(Duration.ofMinutes(15));

        assertThatThrownBy(job::join).cause().hasMessageContaining("no answer for 10m and was given up");
        assertThat(heard.pauses).hasSizeLessThan(6);
    }

    @Test
    void aCancelledSubmissionIsNotSentAgain() {
        cluster.fallSilent(silence);
        CompletableFuture<JobHandle> job = submit("train", true);
        job.cancel(false);
        int sent = cluster.submissions();
        ticker.advance(Duration.ofHours(2));

        assertThat(cluster.submissions()).isEqualTo(sent);
    }

    @Test
    void itIsToldBeforeAJobCanBeOnItsWay() {
        cluster.fallSilent(silence);
        CompletableFuture<JobHandle> job = submit("train", false);
        assertThat(heard.sent)
                .as("preflight has no answer, so nothing is on its way")
                .isZero();

        cluster.answerAgain();
        ticker.advance(Duration.ofMinutes(1));

        assertThat(job).isCompleted();
        assertThat(heard.sent).isOne();
    }

    @Test
    void aSubmissionGivenUpWhileItIsCheckedSendsNothing() {
        cluster.fallSilent(silence);
        CompletableFuture<JobHandle> job = submit("train", false);
        heard.onSending = () -> job.cancel(false);
        cluster.answerAgain();
        ticker.advance(Duration.ofHours(2));

        assertThat(heard.sent).isOne();
        assertThat(cluster.submissions()).isZero();
    }

    @Test
    void aSubmissionThatNobodyWantsWhenItIsToLeaveSendsNothing() {
        heard.wanted = false;

        CompletableFuture<JobHandle> job = submit("train", false);

        assertThat(job).isCancelled();
        assertThat(cluster.submissions()).isZero();
    }

    private static final class Heard implements SubmitObserver {
        private final List<Report> reports = new ArrayList<>();
        private final List<Duration> pauses = new ArrayList<>();
        private int sent;
        private boolean wanted = true;
        private Runnable onSending = () -> {};

        @Override
        public boolean sending() {
            sent++;
            onSending.run();
            return wanted;
        }

        @Override
        public void checked(Report report) {
            reports.add(report);
        }

        @Override
        public void delayed(String what, Duration next) {
            pauses.add(next);
        }
    }

    /** Runs everything on the caller's thread. */
    private static class AtOnce extends AbstractExecutorService {
        @Override
        public void execute(Runnable task) {
            task.run();
        }

        @Override
        public void shutdown() {}

        @Override
        public List<Runnable> shutdownNow() {
            return List.of();
        }

        @Override
        public boolean isShutdown() {
            return false;
        }

        @Override
        public boolean isTerminated() {
            return false;
        }

        @Override
        public boolean awaitTermination(long timeout, TimeUnit unit) {
            return true;
        }
    }
}
