package io.jenkins.plugins.tao.monitor.poll;

import static org.assertj.core.api.Assertions.assertThat;

import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.backend.BackendException.Denied;
import io.jenkins.plugins.tao.backend.BackendException.Rejected;
import io.jenkins.plugins.tao.backend.BackendException.Unreadable;
import io.jenkins.plugins.tao.job.Ending;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.JobStatus;
import io.jenkins.plugins.tao.job.Outcome;
import io.jenkins.plugins.tao.job.Secret;
import io.jenkins.plugins.tao.monitor.JobEvent;
import io.jenkins.plugins.tao.monitor.JobEvent.CancelRefused;
import io.jenkins.plugins.tao.monitor.JobEvent.Ended;
import io.jenkins.plugins.tao.monitor.JobEvent.Notice;
import io.jenkins.plugins.tao.monitor.JobEvent.Still;
import io.jenkins.plugins.tao.monitor.SimulatedCluster;
import io.jenkins.plugins.tao.monitor.Simulation;
import io.jenkins.plugins.tao.monitor.Watch;
import io.jenkins.plugins.tao.monitor.WatchPlan;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What goes wrong with one job is that job's matter: the others of its target are watched on. */
class NeighboursSimulationTest extends Simulation {
    private static final JobStatus DONE =
            JobStatus.ended(Ending.COMPLETED, "COMPLETED").withExitCode(0);

    private final List<JobEvent> neighbours = new ArrayList<>();
    private JobHandle job = SimulatedCluster.handle(1, START);
    private JobHandle neighbour = SimulatedCluster.handle(2, START);

    @BeforeEach
    void twoJobs() {
        job = given(1, RUNNING);
        neighbour = given(2, RUNNING);
    }

    private Watch watchBoth(WatchPlan plan) {
        Watch watch = monitor.watch(target, job, plan, memory, events::add);
        monitor.watch(target, neighbour, WatchPlan.defaults(), new KeptInMemory(), neighbours::add);
        ticker.advance(Duration.ofMinutes(1));
        return watch;
    }

    private Outcome neighboursOutcome() {
        List<Ended> ends = neighbours.stream()
                .filter(Ended.class::isInstance)
                .map(Ended.class::cast)
                .toList();
        assertThat(ends).hasSize(1);
        return ends.get(0).result().outcome();
    }

    @Test
    void anEndThatIsDeniedIsToldAndTheNeighbourIsWatchedOn() {
        cluster.refuse(job, new Denied("Access/permission denied for job 1.", "Ask its owner."));
        Watch watch = watchBoth(WatchPlan.defaults());

        watch.cancel("alice");
        ticker.advance(Duration.ofMinutes(1));
        cluster.set(neighbour, DONE);
        ticker.advance(Duration.ofMinutes(1));

        assertThat(told(CancelRefused.class))
                .extracting(CancelRefused::what)
                .containsExactly("Access/permission denied for job 1.");
        assertThat(told(Ended.class)).isEmpty();
        assertThat(neighboursOutcome()).isEqualTo(new Outcome.Succeeded());
    }

    @Test
    void anEndThatCannotBeAskedForYetIsAskedForAgain() {
        cluster.refuse(job, silence());
        Watch watch = watchBoth(WatchPlan.defaults());

        watch.cancel("alice");
        ticker.advance(Duration.ofMinutes(5));
        cluster.set(neighbour, DONE);
        ticker.advance(Duration.ofMinutes(1));
        cluster.refuseNoMore(job);
        ticker.advance(Duration.ofMinutes(1));

        assertThat(told(Notice.class))
                .singleElement()
                .satisfies(
                        notice -> assertThat(notice.text())
                                .isEqualTo(
                                        "sim/1 could not be asked to end yet, it is asked again. 'sim' does not answer. Wait."));
        assertThat(cluster.cancelled).contains(job);
        assertThat(neighboursOutcome()).isEqualTo(new Outcome.Succeeded());
    }

    @Test
    void anAttemptThatCannotBeSentWaitsAloneAndIsSentLater() {
        cluster.refuse(job, silence());
        watchBoth(WatchPlan.defaults());

        cluster.set(job, NODE_FAIL);
        ticker.advance(Duration.ofMinutes(5));
        cluster.set(neighbour, DONE);
        ticker.advance(Duration.ofHours(1));
        int tries = cluster.submissions();
        cluster.refuseNoMore(job);
        ticker.advance(Duration.ofMinutes(2));

        assertThat(neighboursOutcome()).isEqualTo(new Outcome.Succeeded());
        assertThat(tries).as("tries in an hour, one a minute at most").isLessThan(75);
        assertThat(told(Notice.class))
                .filteredOn(notice -> !notice.text().contains("does not know sim/10")) // nobody listed it here
                .hasSizeBetween(5, 8)
                .allSatisfy(notice -> assertThat(notice.text())
                        .startsWith(
                                "a new attempt of job-1 could not be started yet, it is tried again. 'sim' does not"));
        assertThat(told(JobEvent.AttemptStarted.class)).hasSize(1);
    }

    @Test
    void anAttemptThatCannotBeSentForTooLongIsTheEndWithItsRealCause() {
        cluster.refuse(job, new Unreadable("sbatch gave an odd answer", "?!", "Look at it."));
        watchBoth(WatchPlan.defaults());

        cluster.set(job, NODE_FAIL);
        ticker.advance(Duration.ofHours(25));

        assertThat(outcome()).isInstanceOfSatisfying(Outcome.Failed.class, failed -> {
            assertThat(failed.cause()).isEqualTo(Outcome.Cause.NODE_FAILURE);
            assertThat(failed.detail())
                    .contains("A new attempt could not be started: sbatch gave an odd answer: '?!'.");
        });
    }

    @Test
    void anAttemptThatIsDeniedIsTheEndAtOnce() {
        cluster.refuse(job, new Denied("/lustre/tao is not writable.", "Ask the site."));
        watchBoth(WatchPlan.defaults());

        cluster.set(job, NODE_FAIL);
        cluster.set(neighbour, DONE);
        ticker.advance(Duration.ofMinutes(1));

        assertThat(outcome())
                .isInstanceOfSatisfying(
                        Outcome.Failed.class,
                        failed -> assertThat(failed.detail())
                                .endsWith("A new attempt was refused: /lustre/tao is not writable. Ask the site."));
        assertThat(neighboursOutcome()).isEqualTo(new Outcome.Succeeded());
    }

    @Test
    void aSecretThatIsGoneWhenAnAttemptNeedsItIsTheEndOfItsJobAlone() {
        watchBoth(WatchPlan.defaults().withSecrets(() -> secretIsGone()));

        cluster.set(job, NODE_FAIL);
        cluster.set(neighbour, DONE);
        ticker.advance(Duration.ofMinutes(1));

        assertThat(outcome()).isInstanceOfSatisfying(Outcome.Failed.class, failed -> {
            assertThat(failed.cause()).isEqualTo(Outcome.Cause.NODE_FAILURE);
            assertThat(failed.detail()).contains("There is no credential 'ngc'. Restore it.");
        });
        assertThat(cluster.submissions()).isZero();
        assertThat(neighboursOutcome()).isEqualTo(new Outcome.Succeeded());
    }

    private static Map<String, Secret> secretIsGone() throws Rejected {
        throw new Rejected("There is no credential 'ngc'.", "Restore it.");
    }

    @Test
    void aFaultOfOursIsToldAndWatchingGoesOn() {
        watchBoth(WatchPlan.defaults());

        cluster.breakDown(Optional.of(() -> {
            throw new IllegalStateException("a bug");
        }));
        ticker.advance(Duration.ofMinutes(5));
        cluster.breakDown(Optional.of(() -> {
            throw new NoClassDefFoundError("a bug");
        }));
        ticker.advance(Duration.ofMinutes(5));
        cluster.breakDown(Optional.empty());
        cluster.set(job, DONE);
        ticker.advance(Duration.ofMinutes(2));

        assertThat(told(JobEvent.Unreachable.class)).singleElement().satisfies(event -> {
            assertThat(event.what()).contains("A fault of tao-run itself").contains("a bug");
            assertThat(event.remedy()).contains("please report it");
        });
        assertThat(outcome()).isEqualTo(new Outcome.Succeeded());
    }

    @Test
    @Promise("GE-17")
    void aLongQuietJobIsHeardOfEveryFiveMinutes() {
        watchBoth(WatchPlan.defaults());

        ticker.advance(Duration.ofHours(24));

        assertThat(told(Still.class)).hasSizeBetween(24 * 12, 24 * 15);
        assertThat(told(Still.class).get(0).where()).isEqualTo("RUNNING 4m12s on gpu01, last response 0s ago");
        assertThat(told(Ended.class)).isEmpty();
    }

    @Test
    void aSilentTargetIsNoReasonToHearLess() {
        watchBoth(WatchPlan.defaults());

        cluster.fallSilent(silence());
        ticker.advance(Duration.ofHours(1));

        long words = events.stream()
                .filter(event -> event instanceof Still || event instanceof JobEvent.Unreachable)
                .count();
        assertThat(words).isBetween(12L, 20L);
    }

    @Test
    void anIdThatIsUsedAgainFollowsTheNewJob() {
        watchBoth(WatchPlan.defaults()).cancel("alice");
        ticker.advance(Duration.ofMinutes(1));

        JobHandle later = SimulatedCluster.handle(1, ticker.now().plus(Duration.ofHours(2)));
        JobHandle other = new JobHandle(
                later.target(), later.backend(), later.key(), 1, "77", "/jobs", "/results", later.submittedAt());

        assertThat(monitor.watch(target, later, WatchPlan.defaults(), memory, events::add)
                        .handle())
                .isEqualTo(later);
        assertThat(monitor.watch(target, other, WatchPlan.defaults(), memory, events::add)
                        .handle())
                .isEqualTo(other);
        assertThat(monitor.watch(target, job, WatchPlan.defaults(), memory, events::add)
                        .handle())
                .isEqualTo(job);
    }
}
