package io.jenkins.plugins.tao.jenkins.step;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.jenkins.FakeBuild;
import io.jenkins.plugins.tao.jenkins.FakeJenkins;
import io.jenkins.plugins.tao.jenkins.page.TaoRunActions;
import io.jenkins.plugins.tao.jenkins.run.BuildScope;
import io.jenkins.plugins.tao.jenkins.run.CancelRequests;
import io.jenkins.plugins.tao.jenkins.run.JobHistory;
import io.jenkins.plugins.tao.jenkins.run.LiveBuilds;
import io.jenkins.plugins.tao.jenkins.run.OpenBuilds;
import io.jenkins.plugins.tao.jenkins.run.StateSaves;
import io.jenkins.plugins.tao.job.Ending;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.JobState;
import io.jenkins.plugins.tao.job.JobStatus;
import io.jenkins.plugins.tao.record.ARun;
import io.jenkins.plugins.tao.record.RunRecord;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** taoGate with confirm: the run that comes before a red build. */
class ConfirmedGateTest {
    private static final JobStatus DONE =
            JobStatus.ended(Ending.COMPLETED, "COMPLETED").withExitCode(0);

    @TempDir
    private Path home;

    @Test
    void aSlipInThePlaceOfTheSeedIsRefusedBeforeItIsNeeded() throws Exception {
        night(0.42);
        GateStep gate = gate();
        gate.setConfirm("train.sed");
        StepProbe probe = new StepProbe(build);

        probe.start(gate);

        assertThat(probe.failure())
                .hasMessageContaining("confirm: the spec has no 'train.sed'; did you mean 'train.seed'?");
    }

    private FakeJenkins jenkins;
    private FakeBuild build;

    @BeforeEach
    void twelveNights() throws IOException {
        jenkins = FakeJenkins.in(
                home, new LiveBuilds(), new OpenBuilds(), new StateSaves(), new CancelRequests(), new TaoRunActions());
        build = jenkins.build("train");
        for (int night = 1; night <= 12; night++) {
            JobHistory.of(build.getParent())
                    .add(ARun.of(night)
                            .metric("val_mAP", 0.418 + night % 4 * 0.001)
                            .without("machines", "gpuType")
                            .without("work", "specHash")
                            .text("times", "submittedAt", "1969-12-%02dT01:00:00Z".formatted(night))
                            .record());
        }
    }

    @AfterEach
    void stop() {
        jenkins.close();
    }

    /** A loaded machine may take its time. */
    private static void eventually(Callable<Boolean> condition) {
        Awaitility.await().atMost(Duration.ofSeconds(30)).until(condition);
    }

    private List<JobHandle> submitted() {
        return build.log()
                .lines()
                .filter(line -> line.startsWith("[tao] token "))
                .map(line -> JobHandle.parse(line.substring("[tao] token ".length())))
                .toList();
    }

    private void reaches(double value) {
        jenkins.cluster()
                .leave(
                        "results/train/status.json",
                        "{\"epoch\": 1, \"status\": \"RUNNING\", \"kpi\": {\"val_mAP\": \"" + value + "\"}}\n");
    }

    private JobHandle night(double value) throws Exception {
        reaches(value);
        RunStep run = new RunStep(FakeJenkins.TARGET, "dino train -e {config_path}");
        run.setInterval("1s");
        run.setImage("x:1");
        run.setGpus("8");
        run.setSpec("train: {seed: 7, lr: 0.1}");
        run.setResultsDir("/shared/dino");
        StepProbe probe = new StepProbe(build);
        probe.start(run);
        eventually(() -> submitted().size() == 1);
        JobHandle job = submitted().get(0);
        jenkins.cluster().set(job, JobStatus.live(JobState.RUNNING, "RUNNING").withNodes(List.of("gpu-07")));
        eventually(() -> build.log().contains("RUNNING"));
        jenkins.cluster().set(job, DONE.withNodes(List.of("gpu-07")));
        probe.answer();
        return job;
    }

    private static Object answer(StepProbe probe) throws Exception {
        return Objects.requireNonNull(((Map<?, ?>) probe.answer()).get("answer"));
    }

    private static GateStep gate() {
        GateStep gate = new GateStep("val_mAP");
        gate.setConfirm("train.seed");
        return gate;
    }

    private List<RunRecord> records() throws IOException {
        return JobHistory.of(build.getParent()).read().records();
    }

    @Test
    @Promise("NV-15")
    void aSuspectNightIsRunOnceMoreWithAnotherSeedElsewhereAndThatDecides() throws Exception {
        JobHandle night = night(0.31);
        reaches(0.32);
        StepProbe probe = new StepProbe(build);
        probe.start(gate());

        eventually(() -> submitted().size() == 2);
        JobHandle again = submitted().get(1);
        assertThat(probe.isDone()).isFalse();
        assertThat(jenkins.cluster().avoided()).last().isEqualTo(Set.of("gpu-07"));
        jenkins.cluster().set(again, DONE);

        assertThat(probe.failure()).hasMessageContaining("the rerun gave 0.32 too");
        assertThat(jenkins.cluster().submissions()).isEqualTo(2);
        RunRecord record = records().stream()
                .filter(run -> run.id().equals(again.key().value()))
                .findFirst()
                .orElseThrow();
        assertThat(record.text("work/seed")).isPresent().isNotEqualTo(java.util.Optional.of("7"));
        assertThat(record.origin().facts())
                .containsEntry("confirms", "#1")
                .containsEntry("confirmedRun", night.key().value());
        assertThat(record.text("resultsDir")).isNotEqualTo(java.util.Optional.of("/shared/dino"));
    }

    @Test
    @Promise("NV-15")
    void aConfirmingRunThatIsAsUsualKeepsTheBuildGreenAndASecondGateAsksForNoOther() throws Exception {
        night(0.31);
        reaches(0.419);
        StepProbe probe = new StepProbe(build);
        probe.start(gate());
        eventually(() -> submitted().size() == 2);
        jenkins.cluster().set(submitted().get(1), DONE);

        assertThat(answer(probe)).isEqualTo("pass (not confirmed)");

        StepProbe second = new StepProbe(build);
        second.start(gate());
        assertThat(answer(second)).isEqualTo("pass (not confirmed)");
        assertThat(jenkins.cluster().submissions()).isEqualTo(2);
    }

    @Test
    void aPairRunsTheLastGoodVersionBesideItAndGoesOnAfterARestart() throws Exception {
        JobHandle night = night(0.31);
        String good = ARun.of(12).record().id();
        Path builds = home.resolve("jobs/train/builds");
        Path kept = builds.resolve("12/tao").resolve(good + ".run/request.xml");
        Files.createDirectories(kept.resolveSibling(""));
        Files.copy(builds.resolve("1/tao").resolve(night.key().value() + ".run/request.xml"), kept);
        reaches(0.32);
        GateStep gate = gate();
        gate.setConfirm("pair");
        StepProbe probe = new StepProbe(build);
        ConfirmedGate step = (ConfirmedGate) probe.start(gate);
        eventually(() -> submitted().size() == 3);
        assertThat(build.log()).contains("the version of #12, the last good run, is run beside it");

        jenkins.restart();
        step.onResume();
        submitted().subList(1, 3).forEach(job -> jenkins.cluster().set(job, DONE));

        assertThat(answer(probe)).as(build::log).isEqualTo("pass (not confirmed)");
        assertThat(records())
                .filteredOn(run -> run.origin()
                        .fact("confirmedRun")
                        .equals(Optional.of(night.key().value())))
                .hasSize(2)
                .extracting(run -> run.origin().fact("beside").orElse(""))
                .containsExactlyInAnyOrder("", "#12");
    }

    @Test
    @Promise("NV-15")
    void gatesInParallelBranchesShareOneConfirmingRun() throws Exception {
        night(0.31);
        reaches(0.32);
        List<StepProbe> probes = List.of(new StepProbe(build), new StepProbe(build), new StepProbe(build));
        CountDownLatch together = new CountDownLatch(probes.size());
        List<CompletableFuture<Void>> started = probes.stream()
                .map(probe -> CompletableFuture.runAsync(() -> {
                    together.countDown();
                    try {
                        together.await();
                        probe.start(gate());
                    } catch (Exception e) {
                        throw new CompletionException(e);
                    }
                }))
                .toList();
        started.forEach(CompletableFuture::join);
        eventually(() ->
                submitted().size() == 2 && build.log().split("is being confirmed for another gate", -1).length == 3);
        assertThat(probes).noneMatch(StepProbe::isDone);

        jenkins.cluster().set(submitted().get(1), DONE);

        for (StepProbe probe : probes) {
            assertThat(probe.failure()).hasMessageContaining("the rerun gave 0.32 too");
        }
        assertThat(jenkins.cluster().submissions()).isEqualTo(2);
    }

    @Test
    @Promise("NV-15")
    void ofManyThreadsOneGetsTheConfirmingRunOfAJob() throws Exception {
        BuildScope scope = new BuildScope(build, build.listener());
        for (int round = 0; round < 200; round++) {
            String job = "job-" + round;
            CountDownLatch together = new CountDownLatch(2);
            Callable<Boolean> claim = () -> {
                together.countDown();
                together.await();
                return scope.confirm(job).isEmpty();
            };
            FutureTask<Boolean> other = new FutureTask<>(claim);
            new Thread(other).start();
            assertThat(claim.call()).isNotEqualTo(other.get());
        }
        Optional<CompletableFuture<Void>> taken = scope.confirm("job-0");
        scope.confirmed("job-0");
        assertThat(taken.orElseThrow()).isDone();
        assertThat(scope.confirm("job-0")).isEmpty();
    }

    @Test
    @Promise("NV-15")
    void aConfirmingRunThatFailsSettlesNothing() throws Exception {
        night(0.412);
        StepProbe probe = new StepProbe(build);
        probe.start(gate());
        eventually(() -> submitted().size() == 2);
        jenkins.cluster()
                .set(
                        submitted().get(1),
                        JobStatus.ended(Ending.FAILED, "FAILED").withExitCode(1));

        assertThat(answer(probe)).isEqualTo("suspect");
        assertThat(build.log()).contains("the confirming run settles nothing");
    }

    @Test
    @Promise("NV-15")
    void afterARestartTheSameConfirmingRunGoesOn() throws Exception {
        night(0.31);
        reaches(0.32);
        StepProbe probe = new StepProbe(build);
        ConfirmedGate gate = (ConfirmedGate) probe.start(gate());
        eventually(() -> submitted().size() == 2);
        JobHandle again = submitted().get(1);

        jenkins.restart();
        gate.onResume();
        jenkins.cluster().set(again, DONE);

        assertThat(probe.failure()).hasMessageContaining("the rerun gave 0.32 too");
        assertThat(submitted().stream().map(JobHandle::key).distinct()).hasSize(2);
    }

    @Test
    @Promise("NV-15")
    void aNightWithinTheLimitIsJudgedAtOnce() throws Exception {
        night(0.42);
        StepProbe probe = new StepProbe(build);

        probe.start(gate());

        assertThat(answer(probe)).as(build::log).isEqualTo("pass");
        assertThat(jenkins.cluster().submissions()).isEqualTo(1);
    }

    @Test
    void aPlaceThatIsNoneAndABoundAreRefusedWhereTheyAreWritten() {
        GateStep place = new GateStep("val_mAP");
        place.setConfirm("yes please");
        GateStep bound = gate();
        bound.setAtLeast("0.4");

        assertThatThrownBy(() -> place.start(new StepProbe(build))).hasMessageContaining("such as train.seed");
        assertThatThrownBy(() -> bound.start(new StepProbe(build))).hasMessageContaining("belongs to the usual rule");
    }
}
