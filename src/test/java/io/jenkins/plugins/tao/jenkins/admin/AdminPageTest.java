package io.jenkins.plugins.tao.jenkins.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import hudson.model.Failure;
import hudson.security.ACL;
import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.backend.ArtifactPlan;
import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.jenkins.FakeJenkins;
import io.jenkins.plugins.tao.jenkins.TaoRuntime;
import io.jenkins.plugins.tao.jenkins.page.TaoRunActions;
import io.jenkins.plugins.tao.jenkins.run.AdminScene;
import io.jenkins.plugins.tao.jenkins.run.Orphans;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.JobState;
import io.jenkins.plugins.tao.job.JobStatus;
import io.jenkins.plugins.tao.monitor.SimulatedCluster;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import jenkins.model.Jenkins;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kohsuke.stapler.StaplerRequest2;
import org.kohsuke.stapler.StaplerResponse2;

/** What administrators do on their page, and the same as JSON. */
class AdminPageTest {
    private static final JobHandle JOB = SimulatedCluster.handle(1, Instant.EPOCH);

    @TempDir
    private Path home;

    private final Orphans orphans = new Orphans();
    private final TaoManagementLink page = new TaoManagementLink();
    private FakeJenkins jenkins;
    private AdminScene scene;

    @BeforeEach
    void start() {
        scene = new AdminScene();
        jenkins = FakeJenkins.in(home, scene.extensions(new TaoRunActions(), orphans));
        jenkins.cluster().set(JOB, JobStatus.live(JobState.RUNNING, "RUNNING"));
    }

    @AfterEach
    void stop() {
        ACL.deny(null);
        jenkins.close();
    }

    @Test
    @Promise("JK-08")
    void theMonitorTellsOfOrphansUntilTheyAreIgnored() throws IOException {
        scene.lost(JOB);
        OrphanMonitor monitor = new OrphanMonitor();
        assertThat(monitor.isActivated()).isFalse();

        new OrphanSearch().execute(() -> null);
        assertThat(monitor.isActivated()).isTrue();
        assertThat(monitor.getCount()).isEqualTo(1);

        page.doIgnore(new Request(Map.of("id", "job-1")), new Answer());
        assertThat(monitor.isActivated()).isFalse();
        page.doIgnore(new Request(Map.of("id", "job-1", "on", "false")), new Answer());
        assertThat(monitor.isActivated()).isTrue();
    }

    @Test
    void anAdoptionByABuildThatIsGoneIsAnsweredOnAPageOfJenkins() {
        scene.lost(JOB);
        new OrphanSearch().execute(() -> null);

        assertThatThrownBy(() -> page.doAdopt(new Request(Map.of("id", "job-1", "build", "gone#1"))))
                .isInstanceOf(Failure.class)
                .hasMessage("There is no build 'gone#1'. Name one as folder/job#12.");
    }

    @Test
    @Promise("JK-08")
    void anOrphanIsCancelledFromThePage() throws IOException {
        scene.lost(JOB);
        orphans.search();

        page.doCancelOrphan(new Request(Map.of("id", "job-1")), new Answer());

        await().until(() -> jenkins.cluster().cancelled().contains(JOB));
        assertThat(page.getOrphans()).isEmpty();
    }

    @Test
    @Promise("JK-07")
    void aWatchedJobIsCancelledFromThePageAndItsTargetsConnectionIsCounted() throws IOException {
        scene.watch(jenkins.build("train"), JOB, ArtifactPlan.of(List.of()));
        await().until(() ->
                json().path("targets").path(0).path("state").asText().equals("answers"));
        assertThat(json().path("targets").path(0).path("connections").asInt()).isEqualTo(1);

        page.doCancel(new Request(Map.of("id", "job-1")), new Answer());

        await().until(() -> jenkins.cluster().cancelled().contains(JOB));
    }

    @Test
    @Promise("JK-07")
    void whoIsNoAdministratorSeesAndCancelsNothing() {
        scene.watch(jenkins.build("train"), JOB, ArtifactPlan.of(List.of()));
        scene.lost(SimulatedCluster.handle(2, Instant.EPOCH));
        orphans.search();
        ACL.deny(Jenkins.ADMINISTER);
        Request request = new Request(Map.of("id", "job-1"));

        for (ThrowingCallable action : List.<ThrowingCallable>of(
                page::getTargets,
                page::getJobs,
                page::getOrphans,
                page::getSearches,
                page::getAvoided,
                page::getTrouble,
                () -> page.doState(request, new Answer()),
                () -> page.doCancel(request, new Answer()),
                () -> page.doCancelOrphan(request, new Answer()),
                () -> page.doIgnore(request, new Answer()),
                () -> page.doSearch(request, new Answer()),
                () -> page.doAllowNode("sim", "gpu02"))) {
            assertThatThrownBy(action).isInstanceOf(SecurityException.class);
        }
        assertThat(jenkins.cluster().cancelled()).isEmpty();
    }

    @Test
    @Promise("JK-06")
    void allOfThePageIsThereAsJsonAndWhatIsNotKnownIsAbsent() throws IOException {
        scene.lost(JOB);
        orphans.search();
        jenkins.cluster().fallSilent(new BackendException.Unreachable("no answer from sim.", "Wait."));
        orphans.search();

        JsonNode orphan = json().path("orphans").path(0);
        assertThat(orphan.path("kind").asText()).isEqualTo("GONE");
        assertThat(orphan.path("token").asText()).isEqualTo(JOB.token());
        assertThat(json().path("searches").path(0).path("complete").asBoolean(true))
                .isFalse();
        assertThat(json().path("searches").path(0).path("unknown").asText()).contains("no answer from sim.");
        JsonNode target = json().path("targets").path(0);
        assertThat(target.path("state").asText()).isEqualTo("idle");
        assertThat(target.has("lastAnswer")).isFalse();
        assertThat(target.has("latencyMillis")).isFalse();
    }

    @Test
    @Promise("NV-30")
    void aDamagedListOfNodesIsToldAndHidesNoOther() throws IOException {
        TaoRuntime.avoidedNodes()
                .add("sim", Set.of("gpu02"), "train#1 job-1", "NODE_FAILURE", Instant.EPOCH, Duration.ofHours(1));
        Files.writeString(home.resolve("tao/nodes/dgx.json"), "{}");

        assertThat(json().path("avoidedNodes").path(0).path("node").asText()).isEqualTo("gpu02");
        assertThat(json().path("avoidedNodesUnknown").path(0).asText())
                .startsWith("dgx cannot be read: ")
                .contains("dgx.json is damaged");
        page.doAllowNode("sim", "gpu02");
        assertThat(page.getAvoided()).isEmpty();
        assertThat(page.getAvoidance().gaps()).hasSize(1);
    }

    @Test
    @Promise("NV-30")
    void thePageSaysThatNoNodeIsAvoidedOnlyWhereAllListsWereRead() throws IOException {
        String jelly = Files.readString(
                Path.of("src/main/resources/io/jenkins/plugins/tao/jenkins/admin/TaoManagementLink/index.jelly"));

        assertThat(jelly)
                .contains("items=\"${avoidance.gaps()}\"")
                .containsPattern("<j:if test=\"\\$\\{avoidance\\.nodes\\(\\)\\.isEmpty\\(\\) and "
                        + "avoidance\\.gaps\\(\\)\\.isEmpty\\(\\)}\">\\s+<p>\\$\\{%No node is avoided\\.}");
        assertThat(json().has("avoidedNodesUnknown")).isFalse();
    }

    private JsonNode json() throws IOException {
        Answer answer = new Answer();
        page.doState(new Request(Map.of()), answer);
        return new JsonMapper().readTree(answer.body.toString());
    }

    private static ConditionFactory await() {
        return Awaitility.await();
    }

    /** What a browser sends. */
    private record Request(Map<String, String> parameters) implements StaplerRequest2 {
        @Override
        public @Nullable String getParameter(String name) {
            return parameters.get(name);
        }

        @Override
        public @Nullable String getHeader(String name) {
            return null;
        }

        @Override
        public <T> List<T> bindJSONToList(Class<T> type, Object src) {
            throw new UnsupportedOperationException();
        }
    }

    /** What it gets. */
    private static final class Answer implements StaplerResponse2 {
        final StringWriter body = new StringWriter();

        @Override
        public void setHeader(String name, String value) {}

        @Override
        public void setStatus(int sc) {}

        @Override
        public void setContentType(String type) {}

        @Override
        public void sendRedirect2(String url) {}

        @Override
        public PrintWriter getWriter() {
            return new PrintWriter(body, true);
        }
    }
}
