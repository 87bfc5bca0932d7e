package io.jenkins.plugins.tao.jenkins.step;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import hudson.AbortException;
import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.jenkins.FakeBuild;
import io.jenkins.plugins.tao.jenkins.FakeJenkins;
import io.jenkins.plugins.tao.jenkins.page.TaoRunActions;
import io.jenkins.plugins.tao.jenkins.run.CancelRequests;
import io.jenkins.plugins.tao.jenkins.run.LiveBuilds;
import io.jenkins.plugins.tao.jenkins.run.OpenBuilds;
import io.jenkins.plugins.tao.jenkins.run.StateSaves;
import io.jenkins.plugins.tao.jenkins.run.TaoEvent;
import io.jenkins.plugins.tao.jenkins.run.TaoFailure;
import io.jenkins.plugins.tao.jenkins.run.TaoListener;
import io.jenkins.plugins.tao.jenkins.run.TaoResult;
import io.jenkins.plugins.tao.job.Ending;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.JobState;
import io.jenkins.plugins.tao.job.JobStatus;
import io.jenkins.plugins.tao.monitor.SimulatedCluster;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The steps that run a whole job, or ask and return. */
class StepsTest {
    private static final JobStatus RUNNING = JobStatus.live(JobState.RUNNING, "RUNNING");
    private static final JobStatus DONE =
            JobStatus.ended(Ending.COMPLETED, "COMPLETED").withExitCode(0);
    private static final JobHandle JOB = SimulatedCluster.handle(7, Instant.EPOCH);

    @TempDir
    private Path home;

    private final Heard heard = new Heard();
    private FakeJenkins jenkins;
    private FakeBuild build;
    private StepProbe probe;

    @BeforeEach
    void start() {
        jenkins = FakeJenkins.in(
                home,
                new LiveBuilds(),
                new OpenBuilds(),
                new StateSaves(),
                new CancelRequests(),
                new TaoRunActions(),
                heard);
        build = jenkins.build("train");
        probe = new StepProbe(build);
    }

    @AfterEach
    void stop() {
        jenkins.close();
    }

    @Test
    @Promise("JK-13")
    void taoRunSubmitsAndWaitsAndReturnsHowTheJobEnded() throws Exception {
        probe.start(often(new RunStep(FakeJenkins.TARGET, "train")));
        JobHandle job = submitted();
        jenkins.cluster().set(job, RUNNING);
        eventually(() -> build.log().contains("RUNNING"));
        assertThat(probe.isDone()).isFalse();

        jenkins.cluster().set(job, DONE);

        TaoResult result = (TaoResult) probe.answer();
        assertThat(result.getId()).isEqualTo(job.key().value());
        assertThat(build.log()).contains("submitted as ").contains("files in ");
    }

    @Test
    @Promise("JK-13")
    void anAbortOfTaoRunCancelsTheJobThatItWaitsFor() throws Exception {
        RunExecution execution = (RunExecution) probe.start(often(new RunStep(FakeJenkins.TARGET, "train")));
        JobHandle job = submitted();
        jenkins.cluster().set(job, RUNNING);
        eventually(() -> execution.getStatus().contains("RUNNING"));

        execution.stop(new InterruptedException("aborted"));
        eventually(() -> jenkins.cluster().cancelled().contains(job));
        jenkins.cluster().set(job, JobStatus.ended(Ending.CANCELLED, "CANCELLED"));

        assertThat(probe.failure()).hasMessage("aborted");
    }

    @Test
    @Promise("JK-13")
    void whatTaoRunIsToldOfItsWaitIsCheckedBeforeAnythingIsSubmitted() {
        RunStep step = often(new RunStep(FakeJenkins.TARGET, "train"));
        step.setGiveUpAfter("soon");

        assertThatThrownBy(() -> probe.start(step))
                .isInstanceOf(AbortException.class)
                .hasMessageContaining("giveUpAfter");
        assertThat(jenkins.cluster().submissions()).isZero();
    }

    @Test
    @Promise("JK-14")
    @SuppressWarnings("unchecked") // as a Pipeline sees it
    void taoStatusTellsWhereJobsStandAndOfOneThatItsTargetDoesNotKnowThatItIsUnknown() throws Exception {
        jenkins.cluster().set(JOB, RUNNING.withNodes(List.of("gpu01")));
        StatusStep step = new StatusStep(
                JOB.token() + "\n" + SimulatedCluster.handle(8, Instant.EPOCH).token());
        step.setList(true);

        probe.start(step);

        List<Map<String, Object>> looks = (List<Map<String, Object>>) probe.answer();
        assertThat(looks.get(0))
                .containsEntry("state", "RUNNING")
                .containsEntry("nodes", List.of("gpu01"))
                .containsEntry("known", true)
                .doesNotContainKey("exitCode");
        assertThat(looks.get(1)).containsEntry("state", "UNKNOWN").containsEntry("known", false);
    }

    @Test
    @Promise("JK-14")
    void taoStatusOfATargetThatDoesNotAnswerFailsAndIsNoAnswer() throws Exception {
        jenkins.cluster().fallSilent(new BackendException.Unreachable("no route.", "Look at the network."));

        probe.start(new StatusStep(JOB.token()));

        assertThat(probe.failure()).hasMessageContaining("no route");
    }

    @Test
    @Promise("JK-14")
    @SuppressWarnings("unchecked") // as a Pipeline sees it
    void taoPreflightReturnsEachCheckAndStartsNothing() throws Exception {
        PreflightStep step = new PreflightStep(FakeJenkins.TARGET, "refuse me");
        step.setFailOnError(false);

        probe.start(step);

        Map<String, Object> report = (Map<String, Object>) probe.answer();
        assertThat(report).containsEntry("passed", false).containsEntry("target", FakeJenkins.TARGET);
        assertThat((List<Map<String, String>>) report.get("checks"))
                .containsExactly(Map.of(
                        "name", "command",
                        "verdict", "FAILED",
                        "detail", "asks to be refused.",
                        "remedy", "Ask for something else."));
        assertThat(jenkins.cluster().submissions()).isZero();
    }

    @Test
    @Promise("JK-14")
    void aFailedCheckFailsTaoPreflightAndTheLogHasItsRemedy() throws Exception {
        probe.start(new PreflightStep(FakeJenkins.TARGET, "refuse me"));

        assertThat(probe.failure()).isInstanceOf(AbortException.class);
        assertThat(build.log()).contains("FAILED command: asks to be refused. Ask for something else.");
    }

    @Test
    @Promise("JK-15")
    @SuppressWarnings("unchecked") // as a Pipeline sees it
    void aPreviewNamesWhatIsDifferentFromTheLastGoodRun() throws Exception {
        SubmitStep first = often(new RunStep(FakeJenkins.TARGET, "dino train -e {config_path}"));
        first.setSpec("train: {lr: 0.1, epochs: 5}");
        probe.start(first);
        jenkins.cluster().set(submitted(), DONE);
        probe.answer();
        int sent = jenkins.cluster().submissions();
        PreviewStep next = new PreviewStep(FakeJenkins.TARGET, "dino train -e {config_path}");
        next.setSpec("train: {lr: 0.2, epochs: 5}");

        StepProbe asking = new StepProbe(build);
        asking.start(next);

        Map<String, Object> preview = (Map<String, Object>) asking.answer();
        assertThat((List<Map<String, String>>) preview.get("changes"))
                .containsExactly(Map.of("what", "spec train.lr", "before", "0.1", "now", "0.2"));
        assertThat((List<Map<String, String>>) preview.get("parts"))
                .containsExactly(Map.of("name", "command", "text", "dino train -e {config_path}"));
        assertThat(build.log()).contains("spec train.lr: 0.1 -> 0.2");
        assertThat(jenkins.cluster().submissions()).isEqualTo(sent);
    }

    @Test
    @Promise("JK-15")
    @SuppressWarnings("unchecked") // as a Pipeline sees it
    void aPreviewNamesTheLinesOfTheScriptThatAreOtherThanThoseOfTheLastGoodRun() throws Exception {
        probe.start(often(new RunStep(FakeJenkins.TARGET, "cd /data\ndino train\nls")));
        jenkins.cluster().set(submitted(), DONE);
        probe.answer();

        StepProbe asking = new StepProbe(build);
        asking.start(new PreviewStep(FakeJenkins.TARGET, "cd /data\ndino train --amp\nls\nls"));

        assertThat((List<Map<String, String>>) ((Map<String, Object>) asking.answer()).get("script"))
                .containsExactly(
                        Map.of("what", "command", "before", "dino train", "now", "dino train --amp"),
                        Map.of("what", "command", "before", "", "now", "ls"));
        assertThat(build.log()).contains("command: dino train -> dino train --amp");
    }

    @Test
    @Promise("JK-16")
    void taoRetryRunsAgainWhatFailedWithOtherResourcesWhereTheStepNamesThem() throws Exception {
        RunStep first = often(new RunStep(FakeJenkins.TARGET, "train"));
        first.setGpus("8");
        first.setImage("tao:7");
        probe.start(first);
        JobHandle failed = submitted();
        jenkins.cluster().set(failed, JobStatus.ended(Ending.FAILED, "FAILED").withExitCode(1));
        assertThat(probe.failure()).isInstanceOf(TaoFailure.class);
        RetryStep step = often(new RetryStep(failed.token()));
        step.setGpus("16");

        StepProbe again = new StepProbe(build);
        again.start(step);
        eventually(() -> Files.exists(requests().resolve("job.json"))
                && jenkins.cluster().submissions() == 2);

        assertThat(Files.readString(requests().resolve("job.json")))
                .contains("\"gpus\" : 16")
                .contains("\"image\" : \"tao:7\"")
                .contains("\"command\" : \"train\"");
    }

    /** The folder of the newest job. */
    private Path requests() throws IOException {
        try (Stream<Path> runs = Files.list(build.getRootDir().toPath().resolve("tao"))) {
            return runs.filter(Files::isDirectory)
                    .filter(run -> build.log()
                                    .lastIndexOf(
                                            String.valueOf(run.getFileName()).replace(".run", ""))
                            > build.log().indexOf("again"))
                    .findFirst()
                    .orElse(home);
        }
    }

    @Test
    @Promise("JK-16")
    void aJobOfWhichNothingIsKnownHereIsNotRunAgain() throws Exception {
        probe.start(often(new RetryStep(JOB.token())));

        assertThat(probe.failure()).hasMessageContaining("It is not known here what was asked for job-7");
        assertThat(jenkins.cluster().submissions()).isZero();
    }

    @Test
    @Promise("JK-16")
    void aJobThatSucceededIsNotRunAgain() throws Exception {
        probe.start(often(new RunStep(FakeJenkins.TARGET, "train")));
        JobHandle good = submitted();
        jenkins.cluster().set(good, DONE);
        probe.answer();
        eventually(() -> build.log().contains("succeeded"));

        StepProbe again = new StepProbe(build);
        again.start(often(new RetryStep(good.token())));

        assertThat(again.failure()).hasMessageContaining("has succeeded: there is nothing to run again");
    }

    @Test
    @Promise("JK-17")
    void aFailureOfMachinesMeetsTheConditionAndAFailureOfTheProgramDoesNot() throws Exception {
        jenkins.cluster().set(JOB, JobStatus.ended(Ending.NODE_FAILURE, "NODE_FAIL"));
        WaitStep wait = often(new WaitStep(JOB.token()));
        wait.setRetries("0");
        probe.start(wait);
        Throwable machines = probe.failure();
        jenkins.cluster().set(JOB, JobStatus.ended(Ending.FAILED, "FAILED").withExitCode(1));
        StepProbe other = new StepProbe(jenkins.build("other"));
        other.start(often(new WaitStep(JOB.token())));
        Throwable program = other.failure();

        InfrastructureCondition condition = new InfrastructureCondition();
        assertThat(condition.test(machines, null)).as(machines.toString()).isTrue();
        assertThat(condition.test(program, null)).as(program.toString()).isFalse();
        assertThat(condition.test(new InterruptedException("aborted"), null)).isFalse();
        assertThat(condition.test(new AbortException("of another step"), null)).isFalse();
        assertThat(program).isInstanceOf(TaoFailure.class);
    }

    @Test
    void aRefusedCancelDoesNotKeepTheOtherJobsAliveAndFailsTheStep() throws Exception {
        JobHandle refused = SimulatedCluster.handle(1, Instant.EPOCH);
        jenkins.cluster().refuse(refused, new BackendException.Denied("job 1 is not yours.", "Ask its owner."));
        jenkins.cluster().set(JOB, RUNNING);

        probe.start(new CancelStep(refused.token() + "\n" + JOB.token()));

        assertThat(probe.failure())
                .isInstanceOf(AbortException.class)
                .hasMessageContaining("job 1 is not yours. Ask its owner.");
        assertThat(jenkins.cluster().cancelled()).containsExactly(JOB);
        assertThat(build.log()).contains("sim/1 is not cancelled: job 1 is not yours.", "asked for the end of sim/7");
    }

    @Test
    @Promise("JK-26")
    void otherPluginsHearOfEachJobInTheOrderOfItsLife() throws Exception {
        probe.start(often(new RunStep(FakeJenkins.TARGET, "train")));
        JobHandle job = submitted();
        jenkins.cluster().set(job, RUNNING);
        eventually(() -> heard.kinds().contains(TaoEvent.Kind.RUNNING));
        jenkins.cluster().set(job, DONE);
        probe.answer();

        eventually(() -> heard.kinds().contains(TaoEvent.Kind.ENDED));
        assertThat(heard.kinds()).containsExactly(TaoEvent.Kind.SUBMITTED, TaoEvent.Kind.RUNNING, TaoEvent.Kind.ENDED);
        assertThat(heard.events)
                .allSatisfy(event -> assertThat(event.variables())
                        .containsEntry("TAO_JOB_ID", job.key().value())
                        .containsEntry("TAO_TARGET", FakeJenkins.TARGET));
    }

    @Test
    @Promise("JK-26")
    void aListenerThatFailsCostsNoBuildAnything() throws Exception {
        heard.fails = true;
        probe.start(often(new RunStep(FakeJenkins.TARGET, "train")));

        jenkins.cluster().set(submitted(), DONE);

        assertThat(probe.answer()).isInstanceOf(TaoResult.class);
        eventually(() -> heard.kinds().contains(TaoEvent.Kind.ENDED));
    }

    /** Looks each second: else a change of the played cluster is seen with the next look at a job of its age. */
    private static <S extends RunStep> S often(S step) {
        step.setInterval("1s");
        return step;
    }

    private static WaitStep often(WaitStep step) {
        step.setInterval("1s");
        return step;
    }

    /** A loaded machine may take its time. */
    private static void eventually(Callable<Boolean> condition) {
        Awaitility.await().atMost(Duration.ofMinutes(3)).until(condition);
    }

    private JobHandle submitted() {
        eventually(() -> build.log().contains("[tao] token "));
        String token = build.log()
                .lines()
                .filter(line -> line.startsWith("[tao] token "))
                .map(line -> line.substring("[tao] token ".length()))
                .findFirst()
                .orElseThrow();
        JobHandle job = JobHandle.parse(token);
        return job;
    }

    /** What another plugin would extend. */
    private static final class Heard extends TaoListener {
        private final List<TaoEvent> events = new CopyOnWriteArrayList<>();
        private volatile boolean fails;

        @Override
        public void on(TaoEvent event) {
            events.add(event);
            if (fails) {
                throw new IllegalStateException("of another plugin");
            }
        }

        List<TaoEvent.Kind> kinds() {
            return events.stream().map(TaoEvent::kind).toList();
        }
    }
}
