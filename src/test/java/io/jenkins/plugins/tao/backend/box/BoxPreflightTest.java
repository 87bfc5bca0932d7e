package io.jenkins.plugins.tao.backend.box;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.backend.Report.Check;
import io.jenkins.plugins.tao.backend.Report.Verdict;
import io.jenkins.plugins.tao.backend.box.options.BoxOptionsOf;
import io.jenkins.plugins.tao.backend.box.options.BoxPreparation;
import io.jenkins.plugins.tao.backend.box.options.BoxRules;
import io.jenkins.plugins.tao.backend.box.options.BoxSettings;
import io.jenkins.plugins.tao.backend.box.options.BoxUsual;
import io.jenkins.plugins.tao.backend.box.options.LocalTarget;
import io.jenkins.plugins.tao.job.Checkpoints;
import io.jenkins.plugins.tao.job.JobKey;
import io.jenkins.plugins.tao.job.JobSpec;
import io.jenkins.plugins.tao.remote.host.LocalHost;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BoxPreflightTest {
    @TempDir
    Path temporary;

    private static BoxPlace place(BoxRules.Lease lease) {
        return BoxPlace.of(new LocalTarget(
                "here",
                "/tao",
                new BoxSettings(
                        BoxUsual.PLACES,
                        BoxUsual.NETWORK,
                        new BoxRules(
                                Optional.of(lease),
                                Optional.empty(),
                                Optional.empty(),
                                OptionalInt.empty(),
                                OptionalInt.empty(),
                                OptionalInt.empty(),
                                Optional.of(Duration.ofHours(3)),
                                List.of(),
                                Optional.empty()))));
    }

    private static List<Check> checks(JobSpec spec, String answer) {
        return new BoxPreflight(place(BoxRules.Lease.OWNED), spec, answer).checks();
    }

    private static Check named(String name, List<Check> checks) {
        return checks.stream()
                .filter(check -> check.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    @Test
    @Promise("TR-57")
    void aDirectoryForResultsThatCannotBeWrittenIsNamedBeforeAnythingIs() {
        List<Check> checks = checks(JobSpec.of("true").build(), "user tao\nwritable 1\nresults /\ndata /data\n");
        JobSpec own = JobSpec.of("true").resultsDirectory("/keep/run").build();

        assertThat(named("results directory", checks).verdict()).isEqualTo(Verdict.FAILED);
        assertThat(named("results directory", checks).detail()).contains("'tao'", "/tao", "no right to write to /.");
        assertThat(named("results directory", checks).remedy()).contains("durableDirectory");
        assertThat(named("data directory", checks).remedy()).contains("dataDirectory");
        assertThat(named("results directory", checks(own, "writable 1\nresults /keep\n"))
                        .remedy())
                .contains("resultsDir");
    }

    @Test
    @Promise("TR-57")
    void whatCannotBeWrittenIsFoundByTheMachineItself() throws Exception {
        Path file = Files.writeString(temporary.resolve("file"), "");
        JobSpec spec = JobSpec.of("true").resultsDirectory(file + "/run").build();
        BoxPlace place = BoxPlace.of(new LocalTarget("here", temporary + "/tao", BoxUsual.SETTINGS));

        String answer = new LocalHost()
                .run(BoxPreflight.script(place, spec), Duration.ofMinutes(1))
                .text();

        assertThat(answer).contains("writable 1\n", "results " + file + "\n");
        assertThat(temporary.resolve("tao")).doesNotExist();
    }

    @Test
    @Promise({"GB-20", "GB-21"})
    void aSpotBoxGivesNoWarningSoTheJobIsToldToSaveByTheClockAndHowOften() throws Exception {
        JobSpec spec = JobSpec.of("true")
                .options(BoxOptionsOf.preparation(new BoxPreparation(
                        Optional.empty(),
                        Map.of(),
                        List.of(),
                        Optional.empty(),
                        Optional.of(Duration.ofSeconds(30)),
                        false)))
                .build();

        List<Check> checks = BoxPreflight.shape(place(BoxRules.Lease.SPOT), spec);
        BoxFiles files = BoxFiles.render(place(BoxRules.Lease.SPOT), spec, new JobKey("k"));

        assertThat(named("meter", checks).verdict()).isEqualTo(Verdict.WARNING);
        assertThat(named("meter", checks).detail()).contains("without a signal and without a grace");
        assertThat(named("meter", checks).remedy()).contains("by the clock, never in a signal handler");
        assertThat(named("checkpoints", checks).detail()).contains("write one every 805 s");
        assertThat(files.job().get("env")).contains("export TAO_CHECKPOINT_SECONDS=805\n");
        assertThat(BoxPreflight.shape(
                        place(BoxRules.Lease.OWNED), JobSpec.of("true").build()))
                .isEmpty();
    }

    @Test
    void freeSpaceIsToldInGib() {
        List<Check> checks = checks(JobSpec.of("true").build(), "writable 1\nroom 83886080 5000000 /tao\n");

        assertThat(named("room", checks).detail()).isEqualTo("80 GiB and 5000000 inodes are free for /tao");
    }

    @Test
    void aFullInodeTableFailsThoughThereIsSpace() {
        List<Check> checks = checks(JobSpec.of("true").build(), "writable 1\nroom 83886080 12 /tao\n");

        assertThat(named("room", checks).verdict()).isEqualTo(Verdict.FAILED);
        assertThat(named("room", checks).remedy()).contains("tao box largest here");
    }

    @Test
    @Promise("GB-11")
    void aFrameworkThatCannotUseTheGpuFailsTheCheck() {
        JobSpec spec = BoxStage.job("true", 1).build();

        List<Check> checks = checks(spec, "writable 1\nfree 0\ntorch False\n");

        assertThat(named("framework", checks).verdict()).isEqualTo(Verdict.FAILED);
        assertThat(checks(spec, "writable 1\nfree 0\ntorch True\n"))
                .noneMatch(check -> check.verdict() == Verdict.FAILED);
    }

    @Test
    void aRuntimeThatIsMissingIsNamed() {
        JobSpec spec = JobSpec.of("true").image("i:1").build();

        assertThat(named("container runtime", checks(spec, "writable 1\nruntime \n"))
                        .detail())
                .contains("'docker' does not work for this user");
        assertThat(named("container runtime", checks(spec, "writable 1\nruntime 28.0.1\n"))
                        .verdict())
                .isEqualTo(Verdict.PASSED);
    }

    @Test
    void aBaseDirectoryOfThisMachineIsAPlainPathToo() {
        for (String directory : List.of("/home/o'neil/tao", "/tao dir", "tao", "/a/../b")) {
            assertThatThrownBy(() -> new LocalTarget("here", directory, BoxUsual.SETTINGS))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("baseDirectory must be an absolute path of letters, digits and");
        }
    }

    @Test
    void outputsThatNobodyTakesAwayDrawAWarning() {
        JobSpec spec = JobSpec.of("true").outputs(List.of("/out=s3://b/x")).build();

        Check outputs = named("outputs", BoxPreflight.shape(place(BoxRules.Lease.OWNED), spec));

        assertThat(outputs.verdict()).isEqualTo(Verdict.WARNING);
        assertThat(outputs.detail()).contains("/out=s3://b/x");
    }

    @Test
    void whatWouldBeRefusedWhenItIsSentFailsACheck() {
        JobSpec spec = JobSpec.of("echo done")
                .checkpoints(Checkpoints.parse("never", ""))
                .build();

        Check job = named("job", BoxPreflight.shape(place(BoxRules.Lease.OWNED), spec));

        assertThat(job.verdict()).isEqualTo(Verdict.FAILED);
        assertThat(job.detail()).contains("trains no single network whose checkpoints are known");
        assertThat(job.remedy()).contains("leave resume, keepCheckpoints and {resume} out");
    }
}
