package io.jenkins.plugins.tao.jenkins.verdict;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.gate.PastVerdict;
import io.jenkins.plugins.tao.gate.criteria.Effect;
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
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
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

    private BuildGate.Answer judged(String jobs) throws IOException {
        return judged(GATE, jobs, "");
    }

    private BuildGate.Answer judged(Map<String, String> gate, String jobs, String step) throws IOException {
        return BuildGate.judge(new BuildScope(build, build.listener()), gate, jobs, Optional.empty(), step);
    }

    private static Map<String, String> usual(String option, String value) {
        return Map.of("kpi", "val_mAP50", option, value);
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

    private void second(ARun run) throws IOException {
        JobHistory.of(build.getParent())
                .add(run.text("origin", "url", build.getUrl()).record());
    }

    @Test
    void oneGateOfTwoJobsIsTwoAnswersOfTheBuild() throws Exception {
        second(ARun.of(1, 7).text("work", "network", "rtdetr").metric("val_mAP50", 0.3));

        judged("train-1");
        judged("train-1-7");

        assertThat(TaoRunAction.of(build).getGates())
                .extracting(GateAnswer::getGate, GateAnswer::getAnswer)
                .containsExactly(
                        tuple("train: val_mAP50 at least 0.4", "pass"),
                        tuple("train-1: val_mAP50 at least 0.4", "regression"));
    }

    @Test
    @Promise("NV-22")
    void gatesOfOneTitleWithOtherOptionsStandOnThePageAndInEachKeptForm() throws Exception {
        List<String> titles = List.of(
                "val_mAP50 as usual",
                "val_mAP50 as usual (minDrop 0.05)",
                "val_mAP50 as usual (effect note)",
                "val_mAP50 as usual (2)");

        judged(Map.of("kpi", "val_mAP50"), "", "5");
        judged(usual("minDrop", "0.05"), "", "6");
        judged(usual("effect", "note"), "", "7");
        judged(Map.of("kpi", "val_mAP50"), "", "8");
        judged(Map.of("kpi", "val_mAP50"), "", "5"); // again, after a restart

        assertThat(TaoRunAction.of(build).getGates())
                .extracting(GateAnswer::getGate)
                .containsExactlyElementsOf(titles);
        assertThat(JobHistory.verdicts(build.getParent()).read())
                .extracting(PastVerdict::gate)
                .containsExactlyElementsOf(titles);
    }

    @Test
    void oneGateOfTwoJobsOfOneNameIsTwoAnswers() throws Exception {
        second(ARun.of(1, 7).text("", "id", "train-7").metric("val_mAP50", 0.3));

        judged("train-1");
        judged("train-7");

        List<String> titles = List.of("train: val_mAP50 at least 0.4", "train: val_mAP50 at least 0.4 (train-7)");
        assertThat(TaoRunAction.of(build).getGates())
                .extracting(GateAnswer::getGate)
                .containsExactlyElementsOf(titles);
        assertThat(new BuildDigest(build).ofBuild().text())
                .contains("1 training worse", "1 training as usual")
                .contains(titles.get(1));
    }

    @Test
    void aGateWithoutAJobAnswersForEachTraining() throws Exception {
        second(ARun.of(1, 7).text("work", "network", "rtdetr").metric("val_mAP50", 0.3));

        BuildGate.Answer answer = judged("");

        assertThat(answer.effect()).isEqualTo(Effect.FAILURE);
        assertThat(answer.sentence()).startsWith("rtdetr train: val_mAP50 0.3");
        assertThat(TaoRunAction.of(build).getGates())
                .extracting(GateAnswer::getTraining, GateAnswer::getAnswer)
                .containsExactly(tuple("dino train", "pass"), tuple("rtdetr train", "regression"));
        assertThat(JobHistory.verdicts(build.getParent()).read()).hasSize(2);
    }

    @Test
    void aFormerBuildOfTheSameNumberIsNotJudged() throws Exception {
        second(ARun.of(90).text("origin", "build", "#1").metric("val_mAP50", 0.05));

        assertThat(judged("").sentence()).startsWith("val_mAP50 0.05 is below");
    }

    @Test
    void anAnswerThatAnOlderVersionKeptIsRead() throws Exception {
        Path file = build.getRootDir().toPath().resolve("tao/gates.jsonl");
        Files.createDirectories(file.resolveSibling(""));
        Files.writeString(file, "{\"gate\":\"old at least 1\",\"answer\":\"pass\",\"evidence\":\"x\"}\n");

        judged("");

        assertThat(TaoRunAction.of(build).getGates())
                .extracting(GateAnswer::getGate)
                .containsExactly("old at least 1", "val_mAP50 at least 0.4");
    }

    @Test
    void whatCannotBeReadOrWrittenIsNoSuccess() throws Exception {
        Path folder = build.getParent().getRootDir().toPath().resolve("tao");
        Files.createDirectories(folder.resolve("verdicts.jsonl"));

        BuildGate.Answer unwritten = judged("");

        assertThat(unwritten.answer()).isEqualTo("pass");
        assertThat(unwritten.effect()).isEqualTo(Effect.UNSTABLE);
        assertThat(unwritten.sentence()).contains("The verdict cannot be kept");

        Files.delete(folder.resolve("verdicts.jsonl"));
        Files.writeString(folder.resolve("history.jsonl"), "{\"schema\":1,\"id\":", StandardOpenOption.APPEND);

        assertThat(judged("").effect()).isEqualTo(Effect.UNSTABLE);
        assertThat(judged("").sentence()).contains("The last line of the history is cut");
    }
}
