package io.jenkins.plugins.tao.jenkins.step;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.google.common.util.concurrent.ListenableFuture;
import hudson.FilePath;
import hudson.model.Result;
import hudson.model.TaskListener;
import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.gate.criteria.Blessed;
import io.jenkins.plugins.tao.jenkins.FakeBuild;
import io.jenkins.plugins.tao.jenkins.FakeJenkins;
import io.jenkins.plugins.tao.jenkins.page.TaoRunActions;
import io.jenkins.plugins.tao.jenkins.run.JobHistory;
import io.jenkins.plugins.tao.jenkins.run.LiveBuilds;
import io.jenkins.plugins.tao.jenkins.run.TaoJob;
import io.jenkins.plugins.tao.jenkins.verdict.BuildGate;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.monitor.SimulatedCluster;
import io.jenkins.plugins.tao.record.ARun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import jenkins.model.Jenkins;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.jenkinsci.plugins.workflow.steps.Step;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What taoGate, taoBless and taoDigest do to a build. */
class VerdictStepsTest {
    @TempDir
    private Path home;

    private FakeJenkins jenkins;
    private FakeBuild build;

    @BeforeEach
    void twelveNights() throws IOException {
        jenkins = FakeJenkins.in(home, new LiveBuilds(), new TaoRunActions());
        build = jenkins.build("nightly");
        for (int night = 1; night <= 10; night++) {
            add(ARun.of(night).metric("val_mAP50", 0.41 + night % 3 * 0.001));
        }
        add(ARun.of(11)
                .metric("val_mAP50", 0.42)
                .text("origin", "url", build.getUrl())
                .number("times", "runSeconds", 9000));
    }

    @AfterEach
    void stop() {
        jenkins.close();
    }

    private void add(ARun run) throws IOException {
        JobHistory.of(build.getParent()).add(run.record());
    }

    private Object value(Step step) throws Exception {
        Context context = new Context(build, home);
        step.start(context).start();
        await().until(context.end::isDone);
        return context.end.join();
    }

    private GateStep gate(String kpi, String effect) {
        GateStep gate = new GateStep(kpi);
        gate.setEffect(effect);
        return gate;
    }

    @Test
    @Promise("NV-17")
    void aPassLeavesTheBuildAsItIs() throws Exception {
        GateStep gate = gate("val_mAP50", "failure");
        gate.setAtLeast("0.4");

        assertThat(value(gate))
                .asInstanceOf(InstanceOfAssertFactories.MAP)
                .containsEntry("answer", "pass")
                .containsEntry("effect", "NOTE");
        assertThat(build.getResult()).isNull();
    }

    @Test
    @Promise("NV-17")
    void aBadAnswerMakesTheBuildUnstableAndThePipelineGoesOn() throws Exception {
        GateStep gate = gate("duration", "unstable");
        gate.setAtMost("4000");

        assertThat(value(gate))
                .asInstanceOf(InstanceOfAssertFactories.MAP)
                .containsEntry("answer", "regression")
                .containsEntry("effect", "UNSTABLE");
        assertThat(build.getResult()).isEqualTo(Result.UNSTABLE);
        assertThat(build.log()).contains("UNSTABLE  duration at most 4000").doesNotContain("within 12 hours");
    }

    @Test
    @Promise("NV-17")
    void aBadAnswerFailsTheStepWithItsEvidenceAlone() {
        GateStep gate = gate("val_mAP50", "");
        gate.setAtLeast("0.5");

        assertThatThrownBy(() -> value(gate))
                .hasMessageContaining("val_mAP50 0.42")
                .rootCause()
                .isInstanceOf(hudson.AbortException.class);
    }

    @Test
    @Promise("NV-17")
    void aNoteChangesNothingAndAMetricThatIsNotThereMakesUnstable() throws Exception {
        GateStep note = gate("val_mAP50", "note");
        note.setAtLeast("0.5");

        assertThat(value(note)).asInstanceOf(InstanceOfAssertFactories.MAP).containsEntry("answer", "regression");
        assertThat(build.getResult()).isNull();
        assertThat(value(gate("no_such_metric", "")))
                .asInstanceOf(InstanceOfAssertFactories.MAP)
                .containsEntry("answer", "no verdict");
        assertThat(build.getResult()).isEqualTo(Result.UNSTABLE);
    }

    @Test
    @Promise("NV-18")
    void aBlessingKeepsWhoWhenAndWhyAndOutlivesTheBuild() throws Exception {
        assertThat(value(new BlessStep("new augmentation"))).isEqualTo(List.of("train-11"));

        Files.delete(build.getParent().getRootDir().toPath().resolve("tao/history.jsonl"));
        Blessed blessed = JobHistory.baselines(build.getParent()).read().all().get(0);
        assertThat(blessed.by()).isEqualTo("ana");
        assertThat(blessed.why()).isEqualTo("new augmentation");
        assertThat(blessed.name()).isEqualTo("baseline");
        assertThat(blessed.record().metric("val_mAP50")).isPresent();
    }

    @Test
    @Promise("NV-18")
    void aBaselineInTheRepositoryIsWrittenAndRead() throws Exception {
        BlessStep bless = new BlessStep("release 1");
        bless.setName("v1");
        bless.setBaselines("ci/baselines.jsonl");
        value(bless);
        GateStep gate = gate("val_mAP50", "note");
        gate.setNoWorseThan("baseline v1");
        gate.setBaselines("ci/baselines.jsonl");

        assertThat(home.resolve("workspace/ci/baselines.jsonl")).content().contains("release 1");
        assertThat(value(gate)).asInstanceOf(InstanceOfAssertFactories.MAP).containsEntry("answer", "pass");
        gate.setBaselines("");
        assertThat(value(gate)).asInstanceOf(InstanceOfAssertFactories.MAP).containsEntry("answer", "no verdict");
    }

    @Test
    void anUnwritableFileOfTheWorkspaceIsNotSoughtOnTheController() throws Exception {
        Files.createDirectories(home.resolve("workspace"));
        Files.writeString(home.resolve("workspace/ci"), "no directory");
        BlessStep bless = new BlessStep("release 1");
        bless.setBaselines("ci/baselines.jsonl");

        assertThatThrownBy(() -> value(bless))
                .hasMessageContaining("into the workspace where 'baselines' names a file");
    }

    @Test
    @Promise("NV-18")
    void whatCannotBeBlessedIsRefused() throws Exception {
        assertThatThrownBy(() -> value(new BlessStep(" "))).hasMessageContaining("needs a reason");
        BlessStep gone = new BlessStep("x");
        gone.setJob("train-99");
        assertThatThrownBy(() -> value(gone)).hasMessageContaining("No record of train-99 is there");
        add(ARun.of(12).ended("failed").text("origin", "url", build.getUrl()));
        assertThatThrownBy(() -> value(new BlessStep("x"))).hasMessageContaining("only runs that succeeded");
        BlessStep outside = new BlessStep("x");
        outside.setJob("train-11");
        outside.setBaselines("../secrets.jsonl");
        assertThatThrownBy(() -> value(outside)).hasMessageContaining("path in the workspace");
        assertThat(JobHistory.baselines(build.getParent()).read().all()).isEmpty();
    }

    @Test
    @Promise("NV-24")
    void theDigestOfABuildHasItsRunsAndVerdicts() throws Exception {
        GateStep gate = gate("duration", "unstable");
        gate.setAtMost("4000");
        value(gate);
        value(gate); // as after a restart

        assertThat(value(new DigestStep()))
                .asString()
                .startsWith("nightly #1: 1 training worse, 1 job succeeded\n")
                .contains("ran: 1 job: 1 succeeded", "duration at most 4000");
        assertThat(build.getRootDir().toPath().resolve("tao/digest.files/digest.md"))
                .content()
                .startsWith("## nightly #1");
    }

    @Test
    @Promise("NV-24")
    void theDigestOfAFolderHasTheOtherJobsToo() throws Exception {
        FakeBuild other = jenkins.build("other");
        JobHistory.of(other.getParent()).add(ARun.of(3).record());
        Jenkins.add(other.getParent());
        DigestStep digest = new DigestStep();
        digest.setWithin("9999d");
        digest.setFormat("markdown");

        assertThat(value(digest)).asString().contains("- ran: 12 jobs: 12 succeeded");
        digest.setFormat("pdf");
        assertThatThrownBy(() -> value(digest)).hasMessageContaining("text, markdown, html");
    }

    @Test
    @Promise("NV-17")
    void aListOfJobsIsJudgedAndBlessedAsItsTokens() {
        JobHandle one = SimulatedCluster.handle(1, Instant.EPOCH);
        JobHandle two = SimulatedCluster.handle(2, Instant.EPOCH);
        Map<String, Object> jobs = Map.of("job", List.of(new TaoJob(one.token()), two.token()), "atLeast", 0.4);

        Map<String, Object> gate = new GateStep.DescriptorImpl().customInstantiate(jobs);
        Map<String, Object> bless = new BlessStep.DescriptorImpl().customInstantiate(jobs);

        assertThat(gate).containsEntry("atLeast", "0.4").containsEntry("job", one.token() + "\n" + two.token());
        assertThat(BuildGate.ids(String.valueOf(bless.get("job")))).containsExactly("job-1", "job-2");
    }

    private static final class Context extends OwnContext {
        private static final long serialVersionUID = 1L;

        private final transient FakeBuild build;
        private final transient Path home;
        private final transient CompletableFuture<Object> end = new CompletableFuture<>();

        Context(FakeBuild build, Path home) {
            this.build = build;
            this.home = home;
        }

        @Override
        @SuppressWarnings("NullAway") // Jenkins says by null that something is not there
        public <T> T get(Class<T> key) throws IOException {
            if (key == TaskListener.class) {
                return key.cast(build.listener());
            }
            if (key == FilePath.class) {
                return key.cast(new FilePath(home.resolve("workspace").toFile()));
            }
            return key.isInstance(build) ? key.cast(build) : null;
        }

        @Override
        public void onSuccess(Object result) {
            end.complete(result);
        }

        @Override
        public void onFailure(Throwable failure) {
            end.completeExceptionally(failure);
        }

        @Override
        public ListenableFuture<Void> saveState() {
            throw new UnsupportedOperationException("nothing to save");
        }
    }
}
