package io.jenkins.plugins.tao.jenkins.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import hudson.security.ACL;
import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.backend.ArtifactPlan;
import io.jenkins.plugins.tao.jenkins.FakeBuild;
import io.jenkins.plugins.tao.jenkins.FakeJenkins;
import io.jenkins.plugins.tao.jenkins.TaoRuntime;
import io.jenkins.plugins.tao.jenkins.admin.TaoManagementLink;
import io.jenkins.plugins.tao.jenkins.page.TaoRunActions;
import io.jenkins.plugins.tao.job.Ending;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.JobStatus;
import io.jenkins.plugins.tao.monitor.SimulatedCluster;
import io.jenkins.plugins.tao.monitor.WatchPlan;
import io.jenkins.plugins.tao.nodes.AvoidedNodes;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kohsuke.stapler.interceptor.RequirePOST;

/** Nodes that failed under one build, and the builds after it. */
class AvoidedNodesInBuildsTest {
    private static final JobHandle JOB = SimulatedCluster.handle(1, Instant.EPOCH);

    @TempDir
    private Path home;

    private FakeJenkins jenkins;

    @BeforeEach
    void start() {
        jenkins = FakeJenkins.in(
                home, new LiveBuilds(), new OpenBuilds(), new StateSaves(), new CancelRequests(), new TaoRunActions());
        jenkins.avoidingFor(Duration.ofHours(12));
    }

    @AfterEach
    void stop() {
        ACL.deny(false);
        jenkins.close();
    }

    private FakeBuild failsOn(String node, Ending ending) {
        FakeBuild build = jenkins.build("train");
        jenkins.cluster()
                .set(JOB, JobStatus.ended(ending, "ENDED").withExitCode(1).withNodes(List.of(node)));
        WatchTerms terms =
                new WatchTerms(ArtifactPlan.of(List.of()), WatchPlan.defaults().withoutRetries(), true);
        JobWatch watch = WatchRun.start(new BuildScope(build, build.listener()), terms, JOB);
        assertThat(watch.result().join().getStatus()).isEqualTo("FAILURE");
        return build;
    }

    private FakeBuild submits() {
        FakeBuild build = jenkins.build("other");
        Map<String, String> asked = Map.of("getTarget", FakeJenkins.TARGET, "getCommand", "true");
        JobRequest request = (JobRequest) Proxy.newProxyInstance(
                JobRequest.class.getClassLoader(),
                new Class<?>[] {JobRequest.class},
                (proxy, method, arguments) -> method.getReturnType() == String.class
                        ? asked.getOrDefault(method.getName(), "")
                        : method.getReturnType() == Map.class ? Map.of() : null);
        SubmitRun run =
                SubmitRun.start(new BuildScope(build, build.listener()), request, SubmissionId.fresh(build), false);
        await().until(() -> run.result().isDone());
        return build;
    }

    @Test
    @Promise("NV-30")
    void theNextBuildAvoidsTheNodeThatFailedAndItsLogSaysWhichAndWhy() {
        failsOn("gpu02", Ending.NODE_FAILURE);

        FakeBuild next = submits();

        assertThat(jenkins.cluster().avoided()).containsExactly(Set.of("gpu02"));
        assertThat(next.log())
                .containsPattern(
                        "avoids gpu02 until \\S+: it failed at \\S+ under train#1 job-1: NODE_FAILURE, A node failed");
    }

    @Test
    @Promise("NV-30")
    void aProgramThatFailsAccusesNoNode() {
        failsOn("gpu02", Ending.FAILED);

        submits();

        assertThat(jenkins.cluster().avoided()).isEmpty();
        assertThat(new TaoManagementLink().getAvoided()).isEmpty();
    }

    @Test
    @Promise("NV-30")
    void afterItsTimeTheNodeIsUsedAgain() {
        failsOn("gpu02", Ending.NODE_FAILURE);

        jenkins.ticker().advance(Duration.ofDays(36500));
        submits();

        assertThat(jenkins.cluster().avoided()).isEmpty();
    }

    @Test
    @Promise("NV-30")
    void anAdministratorSeesTheNodeAndLetsItBeUsedAgainByAPost() throws Exception {
        failsOn("gpu02", Ending.NODE_FAILURE);
        TaoManagementLink page = new TaoManagementLink();

        assertThat(page.getAvoided())
                .extracting(AvoidedNodes.Entry::target, AvoidedNodes.Entry::node, AvoidedNodes.Entry::job)
                .containsExactly(org.assertj.core.groups.Tuple.tuple("sim", "gpu02", "train#1 job-1"));
        page.doAllowNode("../sim", "gpu02");
        page.doAllowNode("sim", "gpu03");
        assertThat(page.getAvoided()).hasSize(1);
        page.doAllowNode("sim", "gpu02");

        assertThat(TaoRuntime.avoidedNodes().all(Instant.EPOCH)).isEmpty();
        submits();
        assertThat(jenkins.cluster().avoided()).isEmpty();
        assertThat(TaoManagementLink.class
                        .getMethod("doAllowNode", String.class, String.class)
                        .isAnnotationPresent(RequirePOST.class))
                .isTrue();
    }

    @Test
    @Promise("NV-30")
    void nobodyElseMay() {
        failsOn("gpu02", Ending.NODE_FAILURE);
        ACL.deny(true);

        assertThatThrownBy(() -> new TaoManagementLink().doAllowNode("sim", "gpu02"))
                .isInstanceOf(SecurityException.class);
        assertThatThrownBy(() -> new TaoManagementLink().getAvoided()).isInstanceOf(SecurityException.class);
        ACL.deny(false);
        submits();
        assertThat(jenkins.cluster().avoided()).containsExactly(Set.of("gpu02"));
    }

    @Test
    @Promise("NV-30")
    void whereTheTargetDoesNotAskForItNothingIsKept() {
        jenkins.configured(true);

        failsOn("gpu02", Ending.NODE_FAILURE);

        assertThat(new TaoManagementLink().getAvoided()).isEmpty();
    }
}
