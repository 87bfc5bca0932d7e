package io.jenkins.plugins.tao.jenkins.verdict;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import hudson.model.Failure;
import hudson.model.User;
import hudson.security.ACL;
import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.gate.criteria.Blessed;
import io.jenkins.plugins.tao.jenkins.FakeBuild;
import io.jenkins.plugins.tao.jenkins.FakeJenkins;
import io.jenkins.plugins.tao.jenkins.page.TaoRunActions;
import io.jenkins.plugins.tao.jenkins.run.JobHistory;
import io.jenkins.plugins.tao.record.ARun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kohsuke.stapler.HttpRedirect;
import org.kohsuke.stapler.HttpResponse;
import org.kohsuke.stapler.interceptor.RequirePOST;

/** The page where a person calls the runs of a build good. */
class BlessPageTest {
    private static final Path FORM =
            Path.of("src/main/resources/io/jenkins/plugins/tao/jenkins/verdict/BlessPage/index.jelly");

    @TempDir
    private Path home;

    private FakeJenkins jenkins;
    private FakeBuild build;
    private BlessPage page;

    @BeforeEach
    void aBuildWithTwoRuns() throws IOException {
        jenkins = FakeJenkins.in(home, new TaoRunActions());
        build = jenkins.build("nightly");
        page = new BlessPage(build);
        for (int seed = 1; seed <= 2; seed++) {
            JobHistory.of(build.getParent())
                    .add(ARun.of(7, seed)
                            .metric("val_mAP50", 0.42)
                            .text("origin", "url", build.getUrl())
                            .record());
        }
        JobHistory.of(build.getParent()).add(ARun.of(6).ended("failed").record());
        User.atWork("Ana");
    }

    @AfterEach
    void stop() {
        User.atWork(null);
        ACL.deny(false);
        jenkins.close();
    }

    private List<Blessed> kept() throws IOException {
        return JobHistory.baselines(build.getParent()).read().all();
    }

    @Test
    @Promise("NV-18")
    void aPersonBlessesAllRunsOfTheBuildWithWhoWhenAndWhy() throws IOException {
        HttpResponse answer = page.doBless("", " new augmentation ", "");

        assertThat(answer).isInstanceOf(HttpRedirect.class);
        assertThat(kept()).hasSize(2).allSatisfy(blessed -> {
            assertThat(blessed.by()).isEqualTo("Ana");
            assertThat(blessed.why()).isEqualTo("new augmentation");
            assertThat(blessed.name()).isEqualTo(Blessed.LEVEL);
            assertThat(blessed.at()).isCloseTo(Instant.now(), Assertions.within(Duration.ofMinutes(5)));
        });
        assertThat(page.getBlessings()).hasSize(2).first().asString().contains("by Ana at ", ": new augmentation");
    }

    @Test
    @Promise("NV-18")
    void oneRunIsBlessedUnderANameAndOutlivesTheBuild() throws IOException {
        page.doBless("v1", "release 1", "train-7-2");
        Files.deleteIfExists(build.getRootDir().toPath());

        assertThat(kept()).singleElement().satisfies(blessed -> {
            assertThat(blessed.name()).isEqualTo("v1");
            assertThat(blessed.record().id()).isEqualTo("train-7-2");
        });
    }

    @Test
    @Promise("NV-18")
    void withoutAReasonOrForARunThatFailedNothingIsKept() throws IOException {
        assertThatThrownBy(() -> page.doBless("", "  ", "")).isInstanceOf(Failure.class);
        assertThatThrownBy(() -> page.doBless("", "why", "train-6")).isInstanceOf(Failure.class);
        assertThatThrownBy(() -> page.doBless("", "why", "unknown-1")).isInstanceOf(Failure.class);

        assertThat(kept()).isEmpty();
    }

    @Test
    @Promise("NV-18")
    void whoMayNotUpdateTheBuildHasNoLinkAndIsRefused() throws IOException {
        ACL.deny(true);

        assertThat(page.getIconFileName()).isNull();
        assertThatThrownBy(() -> page.doBless("", "why", "")).isInstanceOf(SecurityException.class);
        ACL.deny(false);
        assertThat(kept()).isEmpty();
    }

    @Test
    @Promise("NV-18")
    void theFormPostsWhatThePageTakes() throws Exception {
        assertThat(BlessPage.class
                        .getMethod("doBless", String.class, String.class, String.class)
                        .isAnnotationPresent(RequirePOST.class))
                .isTrue();
        assertThat(Files.readString(FORM))
                .contains("<form method=\"post\" action=\"bless\">", "name=\"why\"", "name=\"name\"", "name=\"id\"")
                .contains("permission=\"${it.run.UPDATE}\"");
        assertThat(page.getUrlName()).isEqualTo("tao-bless");
    }
}
