package io.jenkins.plugins.tao.backend.notebook;

import static org.assertj.core.api.Assertions.assertThat;

import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.Records;
import io.jenkins.plugins.tao.backend.Report;
import io.jenkins.plugins.tao.backend.Report.Check;
import io.jenkins.plugins.tao.backend.Report.Verdict;
import io.jenkins.plugins.tao.job.JobSpec;
import io.jenkins.plugins.tao.job.Resources;
import io.jenkins.plugins.tao.job.Secret;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is said before anything is sent. */
class KagglePreflightTest {
    @TempDir
    Path temporary;

    private KaggleRig rig;

    @BeforeEach
    void open() throws Exception {
        rig = new KaggleRig(temporary);
    }

    @AfterEach
    void close() {
        rig.close();
    }

    private Check check(JobSpec spec, String name) throws Exception {
        return rig.backend.preflight(spec).checks().stream()
                .filter(check -> check.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private static JobSpec.Builder job(int gpus, Duration time) {
        return JobSpec.of("true")
                .resources(new Resources(1, OptionalInt.of(gpus), OptionalInt.empty(), Optional.of(time)));
    }

    @Test
    void aGoodJobPassesAndNothingIsPushed() throws Exception {
        Report report = rig.backend.preflight(job(1, Duration.ofHours(2)).build());

        assertThat(report.checks())
                .allSatisfy(check -> assertThat(check.verdict()).isEqualTo(Verdict.PASSED));
        assertThat(rig.kaggle.calls).doesNotContain("SaveKernel");
    }

    @Test
    @Promise("NB-06")
    void kagglesTimeLimitsAreWarnedOf() throws Exception {
        Check gpu = check(job(1, Duration.ofHours(10)).build(), "time");
        Check cpu = check(job(0, Duration.ofHours(10)).build(), "time");
        Check open = check(JobSpec.of("true").build(), "time");
        Check near = check(job(1, Duration.ofMinutes(510)).build(), "time");
        Check longCpu = check(job(0, Duration.ofHours(13)).build(), "time");

        assertThat(gpu.verdict()).isEqualTo(Verdict.FAILED);
        assertThat(gpu.detail()).contains("ends a session with GPUs after 9h, the job asks for 10h");
        assertThat(gpu.remedy()).contains("sessions: 2 or more");
        assertThat(cpu.verdict()).isEqualTo(Verdict.PASSED);
        assertThat(longCpu.detail()).contains("ends a session without GPUs after 12h");
        assertThat(open.verdict()).isEqualTo(Verdict.WARNING);
        assertThat(near.verdict()).isEqualTo(Verdict.WARNING);
    }

    @Test
    @Promise("NB-14")
    void aLongTrainingIsChainedBelowTheLimitOfASession() throws Exception {
        JobSpec spec = job(1, Duration.ofHours(30))
                .options(Records.of(KaggleOptions.class, "sessions", 4))
                .build();

        assertThat(check(spec, "time").detail()).isEqualTo("at most 4 sessions of 9h, each going on from the last");
        assertThat(KagglePush.request(
                                NotebookRun.onKaggle(rig.kaggle.target(), spec, KaggleRig.KEY, java.time.Instant.EPOCH))
                        .path("sessionTimeoutSeconds")
                        .asInt())
                .isEqualTo(9 * 3600);
    }

    @Test
    @Promise("NB-03")
    void kagglesQuotasAreSaid() throws Exception {
        Check left = check(job(1, Duration.ofHours(2)).build(), "quota");
        rig.kaggle.quota = "{\"quotaRefreshTime\":\"2026-11-28T00:00:00Z\",\"gpuQuota\":"
                + "{\"timeUsed\":\"108000s\",\"totalTimeAllowed\":\"108000s\"}}";
        Check none = check(job(1, Duration.ofHours(2)).build(), "quota");
        rig.kaggle.quota = "{\"gpuQuota\":{\"timeUsed\":{\"seconds\":104400},\"totalTimeAllowed\":108000}}";
        Check little = check(job(1, Duration.ofHours(2)).build(), "quota");
        rig.kaggle.quota = "{}";
        Check unknown = check(job(1, Duration.ofHours(2)).build(), "quota");

        assertThat(left.detail())
                .isEqualTo("1d5h of 1d6h GPU time are left this week, renewed at 2026-11-28T00:00:00Z");
        assertThat(none.verdict()).isEqualTo(Verdict.FAILED);
        assertThat(little.detail()).contains("1h of 1d6h GPU time are left").contains("may take 2h");
        assertThat(unknown.detail()).contains("about 30 hours a week are free");
        assertThat(check(job(0, Duration.ofHours(2)).build(), "quota").verdict())
                .isEqualTo(Verdict.PASSED);
        assertThat(Files.readString(Path.of("docs/backends/notebook.md")))
                .contains("30 hours of GPU time a week", "9 hours", "12 hours", "20 GB");
    }

    @Test
    void whatANotebookCannotDoIsToldAltogether() throws Exception {
        Report report = rig.backend.preflight(JobSpec.of("dino train -e {config_path}")
                .image("nvcr.io/nvidia/tao/tao-toolkit:6")
                .resources(new Resources(2, OptionalInt.of(8), OptionalInt.empty(), Optional.empty()))
                .resultsDirectory("/kaggle/temp/x")
                .inputs(List.of("s3://bucket/coco"))
                .secrets(Map.of("HF_TOKEN", Secret.of("v")))
                .build());

        assertThat(report.checks().stream()
                        .filter(check -> check.verdict() == Verdict.FAILED)
                        .map(Check::name))
                .containsExactly("image", "machine", "results", "inputs", "secrets", "command");
        assertThat(report.checks())
                .filteredOn(check -> check.verdict() == Verdict.FAILED)
                .allSatisfy(check -> assertThat(check.remedy()).isNotBlank());
    }

    @Test
    void outputsAreRefusedBecauseNothingWouldTakeThemAway() throws Exception {
        Check check =
                check(JobSpec.of("true").outputs(List.of("/results=s3://b/p")).build(), "results");

        assertThat(check.verdict()).isEqualTo(Verdict.FAILED);
        assertThat(check.detail()).contains("/results=s3://b/p");
    }

    @Test
    void somethingLikeASecretInTheOpenTextsIsRefusedAndNotRepeated() throws Exception {
        for (JobSpec spec : List.of(
                JobSpec.of("true").env(Map.of("WANDB_API_KEY", "x1")).build(),
                JobSpec.of("true")
                        .env(Map.of("A", "hf_abcdefghijklmnopqrstuvwx"))
                        .build(),
                JobSpec.of("login nvapi-abcdefghijklmnopqrst").build(),
                JobSpec.of("true")
                        .spec(Map.of("a", Map.of("b", "AKIAABCDEFGHIJKLMNOP")))
                        .build())) {
            Check check = check(spec, "secrets");

            assertThat(check.verdict()).isEqualTo(Verdict.FAILED);
            assertThat(check.detail()).contains("something like a secret").doesNotContain("abcdefghij", "AKIA", "x1");
            assertThat(check.remedy()).contains("secretsDataset");
        }
        JobSpec harmless = JobSpec.of("run --max_new_tokens 5 $HF_TOKEN")
                .env(Map.of("TOKENIZERS_PARALLELISM", "true", "MONKEY", "x", "API_KEY", ""))
                .build();
        assertThat(check(harmless, "secrets").verdict()).isEqualTo(Verdict.PASSED);
    }

    @Test
    void aCredentialThatIsNotTakenIsToldWithoutIt() throws Exception {
        try (KaggleBackend wrong = KaggleRig.backend(KaggleAccount.at(rig.kaggle.url(), "dev", "wrong-key-1"))) {
            Report report = wrong.preflight(JobSpec.of("true").build());

            assertThat(report.failed()).isTrue();
            assertThat(report.checks().toString())
                    .contains("Unauthenticated", "new API token")
                    .doesNotContain("wrong-key-1");
        }
    }

    @Test
    @Promise("TR-55")
    void aCredentialThatCouldNotBeCheckedHasNotPassed() throws Exception {
        rig.kaggle.fault("GetAcceleratorQuotaStatistics", real -> Answers.error(404, "Not Found"));

        Check check = check(job(0, Duration.ofHours(1)).build(), "credential");

        assertThat(check.verdict()).isEqualTo(Verdict.WARNING);
        assertThat(check.detail()).contains("does not answer the question");
    }
}
