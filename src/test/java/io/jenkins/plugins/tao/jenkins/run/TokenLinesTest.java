package io.jenkins.plugins.tao.jenkins.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.jenkins.plugins.tao.jenkins.FakeBuild;
import io.jenkins.plugins.tao.jenkins.FakeJenkins;
import io.jenkins.plugins.tao.jenkins.page.TaoRunActions;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TokenLinesTest {
    @TempDir
    private Path home;

    @Test
    void theLogOfABuildWithManyJobsHasTheTokensOfTheFirstAlone() {
        try (FakeJenkins jenkins =
                FakeJenkins.in(home, new LiveBuilds(), new OpenBuilds(), new CancelRequests(), new TaoRunActions())) {
            FakeBuild build = jenkins.build("train");
            for (int number = 0; number < 8; number++) {
                SubmitRun.start(
                                new BuildScope(build, build.listener()),
                                RenamedJobTest.request(),
                                SubmissionId.fresh(build),
                                false)
                        .result()
                        .join();
            }

            assertThat(build.log().lines().filter(line -> line.startsWith("[tao] token ")))
                    .hasSize(5);
            assertThat(build.log()).containsOnlyOnce("the tokens of further jobs are on the page of this build");
        }
    }
}
