package io.jenkins.plugins.tao.jenkins.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.backend.ArtifactPlan;
import io.jenkins.plugins.tao.jenkins.FakeBuild;
import io.jenkins.plugins.tao.jenkins.FakeJenkins;
import io.jenkins.plugins.tao.jenkins.page.TaoRunAction;
import io.jenkins.plugins.tao.jenkins.page.TaoRunActions;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.JobState;
import io.jenkins.plugins.tao.job.JobStatus;
import io.jenkins.plugins.tao.monitor.SimulatedCluster;
import io.jenkins.plugins.tao.monitor.WatchPlan;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What 2,000 waits cost a controller beside one. */
class ManyWaitsTest {
    private static final int MANY = 2000;
    private static final JobStatus RUNNING = JobStatus.live(JobState.RUNNING, "RUNNING");
    private static final WatchTerms TERMS =
            new WatchTerms(ArtifactPlan.of(List.of()), WatchPlan.defaults().withoutRetries(), true);
    private static final Duration PATIENCE = Duration.ofMinutes(5);

    @TempDir
    private Path home;

    private FakeJenkins jenkins;
    private FakeBuild build;
    private final List<WatchRun> watches = new ArrayList<>();

    @BeforeEach
    void start() {
        jenkins = FakeJenkins.unhurried(home, new LiveBuilds(), new CancelRequests(), new TaoRunActions());
        build = jenkins.build("train");
    }

    @AfterEach
    void stop() {
        watches.forEach(WatchRun::stop);
        jenkins.close();
    }

    @Test
    @Promise("JK-21")
    void twoThousandWaitsHaveTheThreadsOfOneAndAreAskedAfterTogether() {
        watch(0, 1);
        Set<String> ofOne = threads();
        watch(1, MANY);

        assertThat(threads()).hasSizeLessThanOrEqualTo(ofOne.size() + 3);
        assertThat(jenkins.cluster().polls()).as("questions to the target").isLessThan(MANY / 4);
    }

    @Test
    @Promise("JK-21")
    void thePageOfABuildAnswersWhileItsTargetHangs() throws IOException {
        watch(0, 200);
        CountDownLatch forever = new CountDownLatch(1);
        jenkins.cluster().hangOn(forever);
        try {
            assertThat(TaoRunAction.of(build).getRows()).hasSize(200);
            assertThat(TaoRunAction.of(build).getSummary()).isNotNull();
        } finally {
            forever.countDown();
        }
    }

    private void watch(int from, int to) {
        for (int id = from; id < to; id++) {
            jenkins.cluster().set(job(id), RUNNING);
            BuildScope scope = new BuildScope(build, build.listener());
            watches.add(WatchRun.start(scope, TERMS, job(id)));
        }
        await().atMost(PATIENCE).until(() -> watches.stream().allMatch(watch -> watch.state() == JobState.RUNNING));
    }

    private static JobHandle job(int id) {
        return SimulatedCluster.handle(id, Instant.EPOCH);
    }

    /** The names of all threads of ours. */
    private static Set<String> threads() {
        return Thread.getAllStackTraces().keySet().stream()
                .map(Thread::getName)
                .filter(name -> name.startsWith("tao"))
                .collect(Collectors.toCollection(TreeSet::new));
    }
}
