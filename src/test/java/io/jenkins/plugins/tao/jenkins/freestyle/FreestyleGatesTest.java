package io.jenkins.plugins.tao.jenkins.freestyle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import hudson.AbortException;
import hudson.model.Result;
import io.jenkins.plugins.tao.jenkins.FakeBuild;
import io.jenkins.plugins.tao.jenkins.FakeJenkins;
import io.jenkins.plugins.tao.jenkins.page.GateAnswer;
import io.jenkins.plugins.tao.jenkins.page.TaoRunAction;
import io.jenkins.plugins.tao.jenkins.page.TaoRunActions;
import io.jenkins.plugins.tao.jenkins.run.BuildScope;
import io.jenkins.plugins.tao.jenkins.run.JobHistory;
import io.jenkins.plugins.tao.jenkins.run.LiveBuilds;
import io.jenkins.plugins.tao.record.ARun;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The gates of the build step of freestyle jobs. */
class FreestyleGatesTest {
    @TempDir
    private Path home;

    private FakeJenkins jenkins;
    private FakeBuild build;

    @BeforeEach
    void start() throws IOException {
        jenkins = FakeJenkins.in(home, new TaoRunActions(), new LiveBuilds());
        build = jenkins.build("nightly");
        JobHistory.of(build.getParent())
                .add(ARun.of(1)
                        .metric("val_mAP50", 0.42)
                        .text("origin", "url", build.getUrl())
                        .record());
    }

    @AfterEach
    void stop() {
        jenkins.close();
    }

    private void judge(String gates) throws IOException {
        TaoBuilder.judge(new BuildScope(build, build.listener()), "train-1", TaoBuilder.gates(gates));
    }

    @Test
    void gatesThatPassChangeNothing() throws IOException {
        judge("{kpi: val_mAP50, atLeast: 0.4}");

        assertThat(build.getResult()).isNull();
        assertThat(TaoRunAction.of(build).getGates())
                .extracting(GateAnswer::getAnswer)
                .containsExactly("pass");
    }

    @Test
    void allGatesJudgeAndThoseThatFailedFailTheBuild() {
        assertThatThrownBy(() -> judge("""
                        {kpi: val_mAP50, atLeast: 0.9}
                        {kpi: val_mAP50, atMost: 0.1, effect: unstable}
                        """)).isInstanceOf(AbortException.class).hasMessageContaining("0.42");

        assertThat(build.getResult()).isEqualTo(Result.UNSTABLE);
        assertThat(TaoRunAction.of(build).getGates()).hasSize(2);
    }

    @Test
    void aGateThatIsWrittenWrongIsRefusedBeforeAnythingRuns() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> TaoBuilder.gates("{kpi: val_mAP50, atleast: 0.4}"))
                .withMessageContaining("a gate has no key 'atleast'");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> TaoBuilder.gates("{kpi: val_mAP50, confirm: train.seed}"))
                .withMessageContaining("a confirming run needs a Pipeline");
        assertThat(TaoBuilder.gates("")).isEmpty();
    }
}
