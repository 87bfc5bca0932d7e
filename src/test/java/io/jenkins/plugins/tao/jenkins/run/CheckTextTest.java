package io.jenkins.plugins.tao.jenkins.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.jenkins.plugins.checks.api.ChecksStatus;
import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.jenkins.FakeBuild;
import io.jenkins.plugins.tao.jenkins.FakeJenkins;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.JobKey;
import io.jenkins.plugins.tao.job.Outcome;
import io.jenkins.plugins.tao.job.Progress;
import io.jenkins.plugins.tao.monitor.JobResult;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CheckTextTest {
    private static final JobHandle JOB = new JobHandle(
            "sim", "sim", JobKey.derive("night dino", "1"), 1, "4711", "/jobs", "/results", Instant.EPOCH);

    @TempDir
    private Path home;

    @Test
    @Promise("JK-19")
    void eachJobHasOneCheckWhoseNameStaysFromBuildToBuild() {
        JobHandle tomorrow = new JobHandle(
                "sim", "sim", JobKey.derive("night dino", "2"), 1, "4712", "/jobs", "/results", Instant.EPOCH);

        assertThat(CheckText.name(TaoEvent.of(TaoEvent.Kind.RUNNING, scope(), JOB)))
                .isEqualTo("TAO / night-dino")
                .isEqualTo(CheckText.name(TaoEvent.of(TaoEvent.Kind.SUBMITTED, scope(), tomorrow)));
        assertThat(TaoChecks.status(TaoEvent.of(TaoEvent.Kind.RUNNING, scope(), JOB)))
                .isEqualTo(ChecksStatus.IN_PROGRESS);
    }

    @Test
    @Promise("JK-19")
    void theCheckOfAnEndedJobHasItsMetricsAndItsEvidence() {
        TaoEvent event =
                TaoEvent.ended(scope(), new TaoResult(failed(), "OUT_OF_MEMORY, 64 GiB | all of it", List.of()));

        assertThat(CheckText.title(event)).isEqualTo("failed, out of memory");
        assertThat(CheckText.summary(event))
                .contains("| val_mAP | 0.4200 |")
                .contains("| exit code | 137 |")
                .endsWith("OUT_OF_MEMORY, 64 GiB | all of it");
    }

    @Test
    @Promise("JK-19")
    void theCheckOfAGateHasItsAnswerAndItsEvidence() {
        TaoEvent event = TaoEvent.gate(
                scope(),
                Map.of("kpi", "val_mAP", "answer", "worse", "effect", "FAILURE", "evidence", "0.40 is below 0.42"));

        assertThat(CheckText.name(event)).isEqualTo("TAO / gate val_mAP");
        assertThat(CheckText.title(event)).isEqualTo("worse");
        assertThat(CheckText.summary(event)).isEqualTo("0.40 is below 0.42");
    }

    private BuildScope scope() {
        try (FakeJenkins jenkins = FakeJenkins.in(home)) {
            FakeBuild build = jenkins.build("night");
            return new BuildScope(build, build.listener());
        }
    }

    private static JobResult failed() {
        Progress progress = new Progress(
                "FAILURE",
                "",
                OptionalDouble.empty(),
                OptionalDouble.empty(),
                false,
                OptionalDouble.empty(),
                OptionalDouble.empty(),
                Optional.empty(),
                Map.of("val_mAP", 0.42));
        return new JobResult(
                JOB,
                new Outcome.Failed(Outcome.Cause.OUT_OF_MEMORY, "64 GiB"),
                OptionalInt.of(137),
                progress,
                Optional.of(Instant.EPOCH),
                Instant.EPOCH.plusSeconds(90),
                List.of(),
                List.of(),
                Set.of());
    }
}
