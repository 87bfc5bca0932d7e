package io.jenkins.plugins.tao.backend.slurm.submit;

import static io.jenkins.plugins.tao.backend.slurm.Sample.machines;
import static io.jenkins.plugins.tao.backend.slurm.Sample.script;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jenkins.plugins.tao.Golden;
import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.Records;
import io.jenkins.plugins.tao.backend.BackendException.Rejected;
import io.jenkins.plugins.tao.backend.Preview;
import io.jenkins.plugins.tao.backend.slurm.Sample;
import io.jenkins.plugins.tao.backend.slurm.SlurmType;
import io.jenkins.plugins.tao.backend.slurm.options.SlurmOptions;
import io.jenkins.plugins.tao.backend.slurm.options.SlurmTarget;
import io.jenkins.plugins.tao.backend.slurm.options.SlurmTarget.Launcher;
import io.jenkins.plugins.tao.job.Hooks;
import io.jenkins.plugins.tao.job.JobOptions;
import io.jenkins.plugins.tao.job.JobSpec;
import io.jenkins.plugins.tao.job.Secret;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class SlurmScriptTest {
    private static final String IMAGE = "nvcr.io/nvidia/tao/tao-toolkit:6.26.3-pyt";

    private static String withOptions(Records.Draft<SlurmOptions> options) throws Exception {
        return script(JobSpec.of("true").options(options.build()).build());
    }

    @Test
    @Promise({"SL-42", "SL-47", "SL-75", "SG-01", "SG-13"})
    void aJobWithEveryDefaultIsThisScript() throws Exception {
        Golden.check(
                "backend/slurm/default.sbatch",
                script(JobSpec.of("dino train -e {config_path}")
                        .image(IMAGE)
                        .spec(Map.of("encryption_key", "x"))
                        .build()));
    }

    @Test
    @Promise({"SL-51", "SL-52", "SL-66", "SL-78", "SG-03"})
    void aJobOnTwoNodesIsThisScript() throws Exception {
        JobSpec spec = JobSpec.of("torchrun --nnodes $WORLD_SIZE --node_rank $NODE_RANK\nx 'quoted' \"$(date)\"")
                .image("/lustre/images/tao.sqsh")
                .resources(machines(2, 8))
                .env(new java.util.TreeMap<>(Map.of("NCCL_IB_HCA", "mlx5", "NASTY", "it's $(id) `id` \\ \n|\u00fc")))
                .secrets(Map.of("HF_TOKEN", Secret.of("hf_never_in_a_script")))
                .options(Records.of(
                        SlurmOptions.class,
                        "partition",
                        "polar,polar3",
                        "account",
                        "edge_ai",
                        "qos",
                        "high",
                        "gpuType",
                        "a100",
                        "mem",
                        "0",
                        "signal",
                        "B:TERM@360",
                        "exclude",
                        "gpu07,gpu[10-12]",
                        "dependency",
                        "afterok:4711",
                        "requeueOnTimeout",
                        true,
                        "containerMounts",
                        List.of("/lustre:/lustre:ro", "/home/ada:/data"),
                        "modules",
                        List.of("cuda/12.8"),
                        "sbatch",
                        List.of("--mail-type=FAIL")))
                .build();

        String script = script(spec);

        assertThat(script).doesNotContain("hf_never_in_a_script").contains("HF_TOKEN");
        Golden.check("backend/slurm/two-nodes.sbatch", script);
    }

    @Test
    @Promise("NS-21")
    void whatRunsAroundTheCommandRunsInEachTask() throws Exception {
        String script = script(JobSpec.of("dino train")
                .hooks(new Hooks(Optional.of("nvidia-smi -q"), Optional.of("ls {results_dir}")))
                .build());

        assertThat(script)
                .contains("nvidia-smi -q", "tao: the pre command failed", "tao: the post command failed")
                .doesNotContain("{results_dir}");
    }

    @Test
    @Promise("SL-75")
    void requeueCanBeOptedOut() throws Exception {
        assertThat(withOptions(Records.draft(SlurmOptions.class).with("requeue", false)))
                .contains("#SBATCH --no-requeue")
                .doesNotContain("#SBATCH --requeue");
    }

    @Test
    @Promise("SL-23")
    void withoutAccountAndPartitionTheClusterDecides() throws Exception {
        assertThat(script(JobSpec.of("true").build()))
                .doesNotContain("--account")
                .doesNotContain("--partition");
    }

    @ParameterizedTest
    @Promise("SL-50")
    @CsvSource({"1, 4, 1, 4, false", "1, 8, 1, 8, true", "1, 12, 2, 8, true", "1, 16, 2, 8, true", "2, 2, 2, 2, false"})
    void moreGpusThanANodeHasBecomeWholeNodes(int nodes, int gpus, int wholeNodes, int perNode, boolean exclusive)
            throws Exception {
        String script =
                script(JobSpec.of("true").resources(machines(nodes, gpus)).build());

        assertThat(script).contains("#SBATCH --nodes=" + wholeNodes + "\n", "#SBATCH --gres=gpu:" + perNode + "\n");
        assertThat(script.contains("#SBATCH --exclusive\n")).isEqualTo(exclusive);
    }

    @Test
    void aJobWithoutGpusAsksForNone() throws Exception {
        assertThat(script(JobSpec.of("true").resources(machines(1, 0)).build()))
                .doesNotContain("gres")
                .doesNotContain("nvidia-smi -L");
    }

    @Test
    @Promise("TR-73")
    void moreGpusANodeThanThereAreAreRefusedWhereNodesAreCounted() {
        assertThatThrownBy(() ->
                        script(JobSpec.of("true").resources(machines(4, 16)).build()))
                .isInstanceOf(Rejected.class)
                .hasMessageContaining("gpus counts the GPUs of each node, and no node has 16")
                .hasMessageContaining("Ask for 4 nodes with gpus: 4");
    }

    @ParameterizedTest
    @Promise("TR-23")
    @ValueSource(ints = {240, 600, 10, 1})
    void aJobHasTheTimeItWasGiven(int minutes) throws Exception {
        JobSpec.Builder job = JobSpec.of("true").resources(Sample.time(Duration.ofMinutes(minutes)));

        assertThat(script(job.build())).contains("tao_timeout=0\n");
        assertThat(script(job.options(Records.of(SlurmOptions.class, "timeout", Duration.ofSeconds(30)))
                        .build()))
                .contains("tao_timeout=30\n");
    }

    @ParameterizedTest
    @Promise("TR-23")
    @CsvSource({"240, 13680", "600, 35280", "10, 570", "1, 57"})
    void aJobThatGoesBackIntoTheQueueEndsBeforeSlurmEndsIt(int minutes, int seconds) throws Exception {
        String script = script(JobSpec.of("true")
                .resources(Sample.time(Duration.ofMinutes(minutes)))
                .options(Records.of(SlurmOptions.class, "requeueOnTimeout", true))
                .build());

        assertThat(script).contains("tao_timeout=" + seconds + "\n");
    }

    @Test
    void aTimeoutBeyondTheWallTimeIsRefused() {
        assertThatThrownBy(() -> withOptions(Records.draft(SlurmOptions.class).with("timeout", Duration.ofHours(5))))
                .isInstanceOf(Rejected.class)
                .hasMessageContaining("shorter than the wall time");
    }

    @Test
    @Promise({"SG-09"})
    void apptainerTakesThePlaceOfPyxis() throws Exception {
        String script = script(JobSpec.of("true")
                .image(IMAGE)
                .options(Records.of(SlurmOptions.class, "launcher", Launcher.APPTAINER))
                .build());

        assertThat(script)
                .contains("apptainer exec --nv --bind=/lustre docker://" + IMAGE)
                .doesNotContain("--container-image");
    }

    @Test
    @Promise({"SL-38", "SL-40", "SL-28"})
    void specEnvAndMetaAreStagedCompactly() throws Exception {
        JobSpec spec = JobSpec.of("dino train -e {config_path} -k {job_id} -r {results_dir} -g {num_gpus}")
                .spec(Map.of("train", Map.of("lr", 1e10, "data", "slurm://None/lustre/coco")))
                .env(Map.of("DATA", "lustre:///lustre/coco"))
                .build();

        Preview preview = new SlurmType().preview(Sample.target().build(), spec, Sample.KEY);

        Map<String, String> parts = preview.parts().stream()
                .collect(java.util.stream.Collectors.toMap(Preview.Part::name, Preview.Part::text));
        assertThat(parts.get("specs/dino-train-0a1b2c.json"))
                .contains("\"results_dir\":\"/lustre/tao/results/dino-train-0a1b2c\"")
                .contains("\"data\":\"/lustre/coco\"")
                .contains("1.0E+10")
                .doesNotContain(" ");
        assertThat(parts.get("env/dino-train-0a1b2c.json")).isEqualTo("{\"DATA\":\"/lustre/coco\"}");
        assertThat(parts.get("meta/dino-train-0a1b2c.json")).contains("\"backend_type\":\"slurm\"");
        assertThat(parts.get("sbatch/job_dino-train-0a1b2c.sbatch"))
                .contains("dino train -e /lustre/tao/specs/dino-train-0a1b2c.yaml -k dino-train-0a1b2c"
                        + " -r /lustre/tao/results/dino-train-0a1b2c -g 4");
    }

    @Test
    @Promise({"SL-22", "SL-34"})
    void aBaseThatEndsInResultsIsNotDoubled() throws Exception {
        SlurmTarget target = Records.of(
                SlurmTarget.class,
                "name",
                "dgx",
                "login",
                Sample.target().build().login(),
                "baseDirectory",
                "/lustre/x/results/");

        assertThat(SlurmPlan.of(target, JobSpec.of("true").build(), Sample.KEY).results())
                .isEqualTo("/lustre/x/results/dino-train-0a1b2c");
    }

    @Test
    @Promise("SL-35")
    void theServiceVariableNamesTheParentOfTheResults() throws Exception {
        assertThat(script(
                        JobSpec.of("true").resultsDirectory("/lustre/exp/seven").build()))
                .contains("export TAO_API_RESULTS_DIR=/lustre/exp\n", "tao_results=/lustre/exp/seven\n");
    }

    @Test
    @Promise("SG-15")
    void resultsThatANodeWouldLoseAreRefused() {
        assertThatThrownBy(() ->
                        script(JobSpec.of("true").resultsDirectory("/tmp/x").build()))
                .isInstanceOf(Rejected.class)
                .hasMessageContaining("are lost");
    }

    @Test
    void theCommandKeepsEveryCharacter() throws Exception {
        assertThat(script(JobSpec.of("echo 'a' \"$b\" $(c) | d\n-e").build()))
                .contains("tao_command='echo '\\''a'\\'' \"$b\" $(c) | d\n-e'");
    }

    @Test
    void optionsOfAnotherBackendAreRefused() {
        JobOptions foreign = new JobOptions() {};

        assertThatThrownBy(() -> script(JobSpec.of("true").options(foreign).build()))
                .isInstanceOf(Rejected.class)
                .hasMessageContaining("another backend");
    }

    @ParameterizedTest
    @ValueSource(strings = {"polar polar3", "a\n#SBATCH --uid=0", "$(id)", "a,,b", "--x"})
    void aPartitionIsAWordOrSeveral(String partition) {
        assertThatThrownBy(() -> Records.of(SlurmOptions.class, "partition", partition))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "--nice=100",
                "--licenses=matlab:1",
                "--switches=1",
                "--mail-user=ada@example.com",
                "--tmp=10G",
                "--mem-per-gpu=64G",
                "--gres-flags=enforce-binding",
                "--contiguous"
            })
    @Promise("NS-22")
    void anyOtherFlagOfTheSchedulerGoesThrough(String directive) throws Exception {
        assertThat(withOptions(Records.draft(SlurmOptions.class).with("sbatch", List.of(directive))))
                .contains("\n#SBATCH " + directive + "\n");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "--output=/x",
                "--outp=/x",
                "--wait",
                "--parsable",
                "--export=NONE",
                "--dependency=afterok:4711",
                "--no-kill",
                "--wrap=id",
                "-p x",
                "--mail-type=FAIL --uid=0",
                "--array=0-3",
                "nodes=3",
                "--x\ny"
            })
    @Promise("NS-22")
    void directivesOfTheUserCannotReplaceOurs(String directive) {
        assertThatThrownBy(() -> Records.of(SlurmOptions.class, "sbatch", List.of(directive)))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    @Promise({"SG-05", "SG-12"})
    void aSignalThatMayComeAfterTheEndIsRefused() {
        assertThatThrownBy(() -> Records.of(SlurmOptions.class, "signal", "B:TERM@60"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("60 s late");
        assertThat(Records.of(SlurmOptions.class, "signal", "B:TERM@360").signal())
                .contains("B:TERM@360");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/lustre/it's",
                "/lustre/$(id)",
                "/lustre/`id`",
                "/lustre/two lines\n#SBATCH --wrap=x",
                "/lustre/a|b",
                "/lustre/gr\u00fcn",
                "/lustre/a\"b",
                "/lustre/../etc"
            })
    void aResultsDirectoryThatAShellOrSlurmCouldMisreadIsRefused(String path) {
        assertThatThrownBy(
                        () -> script(JobSpec.of("true").resultsDirectory(path).build()))
                .isInstanceOf(Rejected.class)
                .hasMessageContaining("results directory must");
    }

    @Test
    void aResultsDirectoryLongerThanAnyFilesystemTakesIsRefused() {
        JobSpec tooLong = JobSpec.of("true")
                .resultsDirectory("/lustre/" + "x/".repeat(5 * 1024))
                .build();

        assertThatThrownBy(() -> script(tooLong))
                .isInstanceOf(Rejected.class)
                .hasMessageContaining("at most 3500 characters");
    }
}
