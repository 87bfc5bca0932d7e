package io.jenkins.plugins.tao.monitor.poll;

import static org.assertj.core.api.Assertions.assertThat;

import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.backend.Stream;
import io.jenkins.plugins.tao.job.Ending;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.JobStatus;
import io.jenkins.plugins.tao.monitor.EventWords;
import io.jenkins.plugins.tao.monitor.JobEvent;
import io.jenkins.plugins.tao.monitor.Simulation;
import io.jenkins.plugins.tao.monitor.Watch;
import io.jenkins.plugins.tao.monitor.WatchPlan;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Which nodes new attempts avoid, and for how long. */
class FailedNodesSimulationTest extends Simulation {
    private static JobStatus failedOn(String node) {
        return JobStatus.ended(Ending.NODE_FAILURE, "NODE_FAIL").withNodes(List.of(node));
    }

    private JobHandle next() {
        List<JobEvent.AttemptStarted> started = told(JobEvent.AttemptStarted.class);
        return started.get(started.size() - 1).next();
    }

    private void fails(JobHandle job, String node) {
        cluster.set(job, failedOn(node));
        ticker.advance(Duration.ofMinutes(10));
    }

    private Set<String> lastAvoided() {
        return cluster.avoided().get(cluster.avoided().size() - 1);
    }

    @Test
    @Promise("TR-25")
    void twoBadNodesDoNotTakeTurns() {
        JobHandle job = given(1, RUNNING);
        watch(job);
        fails(job, "gpu01");
        fails(next(), "gpu02");

        assertThat(lastAvoided()).containsExactly("gpu02", "gpu01");
        assertThat(told(JobEvent.AttemptStarted.class))
                .last()
                .extracting(EventWords::attempt)
                .asString()
                .endsWith("; attempt 3 is sim/100 and is asked to avoid gpu02, gpu01");
    }

    @Test
    void aJobThatFailsAlikeAtOnceOnTwoNodesIsNotTriedAThirdTime() {
        JobHandle job = given(1, RUNNING);
        watch(job);
        for (String node : List.of("gpu01", "gpu02")) {
            JobHandle attempt = node.equals("gpu01") ? job : next();
            cluster.write(attempt, Stream.ERR, "RuntimeError: CUDA error: unknown error\n");
            cluster.set(attempt, RUNNING);
            ticker.advance(Duration.ofMinutes(1));
            cluster.set(
                    attempt,
                    JobStatus.ended(Ending.FAILED, "FAILED").withExitCode(1).withNodes(List.of(node)));
            ticker.advance(Duration.ofMinutes(10));
        }

        assertThat(told(JobEvent.AttemptStarted.class)).hasSize(1);
        assertThat(told(JobEvent.Ended.class))
                .singleElement()
                .asString()
                .contains("with the same line on gpu01 and gpu02");
    }

    @Test
    @Promise("NV-30")
    void aFurtherAttemptAvoidsAlsoWhatFailedUnderEarlierBuilds() {
        JobHandle job = given(1, RUNNING);
        monitor.watch(target, job, WatchPlan.defaults().withKnown(() -> Set.of("gpu09")), memory, events::add);
        fails(job, "gpu01");

        assertThat(lastAvoided()).containsExactly("gpu01", "gpu09");
    }

    @Test
    @Promise("TR-25")
    void aNodeIsUsedAgainAfterADay() {
        JobHandle job = given(1, RUNNING);
        watch(job);
        fails(job, "gpu01");
        cluster.set(next(), RUNNING);
        ticker.advance(Duration.ofHours(24));
        fails(next(), "gpu02");

        assertThat(lastAvoided()).containsExactly("gpu02");
    }

    @Test
    @Promise("TR-25")
    void howLongANodeIsAvoidedIsASetting() {
        JobHandle job = given(1, RUNNING);
        WatchPlan plan = WatchPlan.defaults().withAvoidNodesFor(Duration.ofMinutes(5));
        monitor.watch(target, job, plan, memory, events::add);
        fails(job, "gpu01");
        fails(next(), "gpu02");
        assertThat(lastAvoided()).containsExactly("gpu02");

        JobHandle other = given(2, RUNNING);
        WatchPlan none = WatchPlan.defaults().withAvoidNodesFor(Duration.ZERO);
        monitor.watch(target, other, none, new KeptInMemory(), events::add);
        fails(other, "gpu03");
        assertThat(lastAvoided()).isEmpty();
    }

    @Test
    @Promise("TR-25")
    void aNodeThatFailedOneJobIsAvoidedByTheNextAttemptOfAnother() {
        JobHandle one = given(1, RUNNING);
        JobHandle two = given(2, RUNNING);
        watch(one);
        monitor.watch(target, two, WatchPlan.defaults(), new KeptInMemory(), events::add);
        fails(one, "gpu01");
        fails(two, "gpu02");

        assertThat(lastAvoided()).containsExactly("gpu02", "gpu01");
    }

    @Test
    @Promise("TR-25")
    void aLaterProcessKnowsTheNodesThatFailed() {
        JobHandle job = given(1, RUNNING);
        Watch first = watch(job);
        fails(job, "gpu01");
        JobHandle second = next();
        first.detach();
        monitor().watch(target, job, WatchPlan.defaults(), memory, events::add);
        fails(second, "gpu02");

        assertThat(lastAvoided()).containsExactly("gpu02", "gpu01");
    }
}
