package io.jenkins.plugins.tao.jenkins.verdict;

import static org.assertj.core.api.Assertions.assertThat;

import io.jenkins.plugins.tao.jenkins.FakeBuild;
import io.jenkins.plugins.tao.jenkins.FakeJenkins;
import io.jenkins.plugins.tao.jenkins.page.TaoRunActions;
import io.jenkins.plugins.tao.jenkins.run.BuildScope;
import io.jenkins.plugins.tao.jenkins.run.JobHistory;
import io.jenkins.plugins.tao.record.ARun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a gate of a build judges. */
class BuildGateTest {
    private static final Map<String, String> GATE = Map.of("kpi", "val_mAP50", "atLeast", "0.4");

    @TempDir
    Path home;

    private FakeJenkins jenkins;
    private FakeBuild build;

    @BeforeEach
    void start() throws IOException {
        jenkins = FakeJenkins.in(home, new TaoRunActions());
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

    private BuildGate.Answer judged(String jobs) throws IOException {
        return BuildGate.judge(new BuildScope(build, build.listener()), GATE, jobs, Optional.empty());
    }

    @Test
    void theRunsOfTheBuildAreJudged() throws Exception {
        assertThat(judged("").answer()).isEqualTo("pass");
        assertThat(judged("train-1\ntrain-1").answer()).isEqualTo("pass");
    }

    @Test
    void aPartOfTheJobsIsNoVerdict() throws Exception {
        BuildGate.Answer answer = judged("train-1\ntrain-2");

        assertThat(answer.answer()).isEqualTo("no verdict");
        assertThat(answer.sentence())
                .isEqualTo("No verdict: train-2 left no record that can be read. This build has those of train-1."
                        + " Wait for each with taoWait first, and name it by what taoRun returned or by its id.");
    }

    @Test
    void recordsThatCannotBeReadAreReported() throws Exception {
        Path history = build.getParent().getRootDir().toPath().resolve("tao/history.jsonl");
        Files.writeString(history, "{\"schema\":1,\"id\":\n", StandardOpenOption.APPEND);

        assertThat(judged("").answer()).isEqualTo("pass");
        assertThat(build.log()).contains("1 records of this job cannot be read and count as absent.");
    }
}
