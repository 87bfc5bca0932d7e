package io.jenkins.plugins.tao.monitor;

import static org.assertj.core.api.Assertions.assertThat;

import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.backend.Stream;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.JobStatus;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Jobs that run and say nothing. */
class StallSimulationTest extends Simulation {
    private static final JobStatus ON_TWO_NODES = RUNNING.withNodes(List.of("gpu01", "gpu02"));

    private List<String> notices() {
        return told(JobEvent.Notice.class).stream().map(JobEvent.Notice::text).toList();
    }

    @Test
    @Promise("SG-20")
    void aQuietJobOnSeveralNodesIsLaidToTheNetworkBetweenThemOnce() {
        watch(given(1, ON_TWO_NODES));
        ticker.advance(Duration.ofMinutes(29));
        assertThat(notices()).isEmpty();

        ticker.advance(Duration.ofHours(3));

        assertThat(notices()).singleElement().asString().contains("gpu01, gpu02", "NCCL", "network between the nodes");
    }

    @Test
    @Promise("SG-20")
    void aQuietJobOnOneNodeIsNotLaidToTheNetwork() {
        watch(given(1, RUNNING));

        ticker.advance(Duration.ofMinutes(40));

        assertThat(notices()).singleElement().asString().contains("may hang").doesNotContain("NCCL");
    }

    @Test
    void aJobThatSaysAWordNowAndThenIsNotStalled() {
        JobHandle job = given(1, ON_TWO_NODES);
        watch(job);

        for (int i = 0; i < 9; i++) {
            cluster.write(job, i % 2 == 0 ? Stream.OUT : Stream.STATUS, "{\"epoch\":" + i + "}\n");
            ticker.advance(Duration.ofMinutes(25));
        }

        assertThat(notices()).isEmpty();
    }

    @Test
    void aNewStretchOfQuietIsToldAgain() {
        JobHandle job = given(1, ON_TWO_NODES);
        watch(job);
        ticker.advance(Duration.ofMinutes(40));
        cluster.write(job, Stream.ERR, "awake\n");

        ticker.advance(Duration.ofMinutes(40));

        assertThat(notices()).hasSize(2);
    }

    @Test
    void timeInTheQueueAndASilentTargetDoNotCount() {
        JobHandle job = given(1, PENDING);
        watch(job);
        ticker.advance(Duration.ofHours(5));
        cluster.set(job, ON_TWO_NODES);
        ticker.advance(Duration.ofMinutes(20));
        cluster.fallSilent(silence());
        ticker.advance(Duration.ofHours(2));
        cluster.write(job, Stream.OUT, "trained on\n");
        cluster.answerAgain();

        ticker.advance(Duration.ofMinutes(10));

        assertThat(notices()).isEmpty();
    }
}
