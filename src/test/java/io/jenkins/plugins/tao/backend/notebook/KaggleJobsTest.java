package io.jenkins.plugins.tao.backend.notebook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.Records;
import io.jenkins.plugins.tao.backend.BackendException.Rejected;
import io.jenkins.plugins.tao.backend.Report;
import io.jenkins.plugins.tao.backend.Stream;
import io.jenkins.plugins.tao.job.Ending;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.JobSpec;
import io.jenkins.plugins.tao.job.JobStatus;
import io.jenkins.plugins.tao.job.Resources;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** What a notebook does for a job, in sessions that run for real. */
class KaggleJobsTest {
    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    Path temporary;

    private KaggleRig rig;

    @BeforeEach
    void open() throws Exception {
        rig = new KaggleRig(temporary.resolve("kaggle"));
    }

    @AfterEach
    void close() {
        rig.close();
    }

    private static Resources gpus(int gpus) {
        return new Resources(1, OptionalInt.of(gpus), OptionalInt.empty(), Optional.empty());
    }

    private static Resources minutes(int minutes) {
        return new Resources(1, OptionalInt.empty(), OptionalInt.empty(), Optional.of(Duration.ofMinutes(minutes)));
    }

    @Test
    @Promise("NB-04")
    void aCommitRunsTheJobToItsEndWithoutAnybody() throws Exception {
        JobHandle job = rig.submit(JobSpec.of("echo trained; echo weights >{results_dir}/model.pth")
                .build());

        assertThat(rig.kaggle.pushes).hasSize(1);
        assertThat(rig.kaggle.pushes.get(0).path("kernelExecutionType").asText())
                .isEqualTo("SAVE_AND_RUN_ALL");
        assertThat(rig.kaggle.pushes.get(0).path("isPrivate").asBoolean()).isTrue();
        assertThat(rig.end(job).ending()).hasValue(Ending.COMPLETED);
        assertThat(rig.read(job, Stream.OUT)).isEqualTo("trained\n");
        assertThat(rig.fetch(job, "*.pth").text("results/model.pth")).isEqualTo("weights\n");
    }

    @Test
    @Promise("NB-09")
    void aCellThatFailsLosesNeitherOutputNorStatus() throws Exception {
        rig.kaggle.edit = text ->
                text.replace("TAO.step(\\\"run\\\", TAO.run)", "TAO.step(\\\"run\\\", lambda: (TAO.run(), 1 / 0))");

        JobHandle job =
                rig.submit(JobSpec.of("echo partial >{results_dir}/model.pth").build());
        JobStatus status = rig.end(job);
        Sink sink = rig.fetch(job, "*.pth");

        assertThat(status.nativeState()).isEqualTo("COMPLETE");
        assertThat(sink.text("results/model.pth")).isEqualTo("partial\n");
        assertThat(state()).contains("\"phase\": \"ended\"", "\"exitCode\": 0");
    }

    @Test
    @Promise("NB-09")
    void aFaultOfTheNotebookItselfIsToldAndKeepsTheOutput() throws Exception {
        rig.kaggle.edit = text ->
                text.replace("TAO.step(\\\"code\\\", TAO.fetch_code)", "TAO.step(\\\"code\\\", lambda: exit(3))");

        JobHandle job = rig.submit(JobSpec.of("echo never").build());
        JobStatus status = rig.end(job);

        assertThat(status.ending()).hasValue(Ending.FAILED);
        assertThat(status.reason()).hasValue("code failed: SystemExit: 3");
        assertThat(state()).contains("\"end\": \"fault\"");
        assertThat(rig.read(job, Stream.OUT)).isEmpty();
    }

    /** Shows that the test above can fail: this Kaggle, like the real one, drops the output of a run that raises. */
    @Test
    void aCellThatRaisesUnguardedWouldLoseTheOutput() throws Exception {
        rig.kaggle.edit = text -> text.replace("TAO.close()\"", "raise RuntimeError()\"");

        JobHandle job =
                rig.submit(JobSpec.of("echo partial >{results_dir}/model.pth").build());
        rig.end(job);

        assertThat(rig.fetch(job, "*.pth").files.keySet()).containsExactly("logs/main.err", "logs/main.out");
        assertThat(rig.look(job).ending()).hasValue(Ending.FAILED);
    }

    private String state() throws Exception {
        return Files.readString(
                rig.kaggle.kernel("tao-" + KaggleRig.KEY).working().resolve("tao-run/state.json"));
    }

    @Test
    @Promise("NB-10")
    void withoutAGpuTheSessionEndsAtOnce() throws Exception {
        rig.kaggle.gpus = 0;

        JobHandle job = rig.submit(JobSpec.of("echo started").build());
        JobStatus status = rig.end(job);

        assertThat(rig.kaggle.pushes.get(0).path("enableGpu").asBoolean()).isTrue();
        assertThat(rig.kaggle.pushes.get(0).path("machineShape").asText()).isEqualTo("NvidiaTeslaT4");
        assertThat(rig.kaggle.pushes.get(0).path("enableInternet").isBoolean()).isTrue();
        assertThat(status.ending()).hasValue(Ending.LAUNCH_FAILURE);
        assertThat(status.reason().orElseThrow()).contains("has 0 GPU(s), the job wants 1", "verified by phone");
        assertThat(rig.read(job, Stream.OUT)).isEmpty();
        assertThat(rig.backend.diagnose(job).summary()).contains("never started");
    }

    @Test
    void aJobWithoutGpuAsksForNone() throws Exception {
        JobStatus status = rig.run(JobSpec.of("true")
                .resources(gpus(0))
                .options(Records.of(KaggleOptions.class, "internet", false))
                .build());

        assertThat(status.exitCode()).hasValue(0);
        assertThat(rig.kaggle.pushes.get(0).path("enableGpu").asBoolean(true)).isFalse();
        assertThat(rig.kaggle.pushes.get(0).path("enableInternet").asBoolean(true))
                .isFalse();
        assertThat(rig.kaggle.pushes.get(0).has("machineShape")).isFalse();
        assertThat(rig.kaggle.pushes.get(0).path("sessionTimeoutSeconds").asInt())
                .isEqualTo(12 * 3600);
    }

    @Test
    @Promise("NB-13")
    void deviceVersionsSpaceAndFilesArePrintedFirst() throws Exception {
        JobHandle job = rig.submit(JobSpec.of("echo begun >&2").build());
        rig.end(job);

        List<String> lines = rig.read(job, Stream.ERR).lines().toList();
        assertThat(lines.get(0)).isEqualTo("[tao] session 1 of 1 of job " + KaggleRig.KEY);
        assertThat(lines.get(1)).startsWith("[tao] devices: GPU 0: Tesla T4").contains("; GPU 1: ");
        assertThat(lines.get(2)).startsWith("[tao] versions: python 3.").contains("torch none", "driver 560.35.03");
        assertThat(lines.get(3)).startsWith("[tao] space: Filesystem");
        assertThat(lines)
                .anySatisfy(line -> assertThat(line).contains("/kaggle/input: empty"))
                .anySatisfy(line -> assertThat(line).contains("/kaggle/working: tao-run"));
        assertThat(lines.indexOf("begun")).isGreaterThan(5);
    }

    @Test
    @Promise("NB-05")
    void outputComesFromTheWorkingDirectoryAndItsSizeIsChecked() throws Exception {
        rig.kaggle.edit = text -> text.replace("\\\"outputBytes\\\" : 20000000000", "\\\"outputBytes\\\" : 20000")
                .replace("\\\"keepSeconds\\\" : 60", "\\\"keepSeconds\\\" : 0.1")
                .replace("\\\"lookSeconds\\\" : 2", "\\\"lookSeconds\\\" : 0.1");

        JobHandle job = rig.submit(JobSpec.of(
                        "head -c 30000 /dev/zero >{results_dir}/model.pth;"
                                + " until grep -q '\"outputBytes\": 3' {results_dir}/../../tao-run/state.json; do sleep 0.1; done")
                .build());
        JobStatus status = rig.end(job);

        assertThat(job.resultsDirectory()).isEqualTo("/kaggle/working/results/" + KaggleRig.KEY);
        assertThat(status.ending()).hasValue(Ending.FAILED);
        assertThat(status.reason().orElseThrow()).contains("the output has 3", "at most 20000 are kept");
        assertThat(rig.read(job, Stream.ERR)).contains("[tao] the output has 3");
        assertThat(rig.fetch(job, "*.pth").text("results/model.pth")).hasSize(30000);
    }

    @Test
    @Promise("NB-11")
    void scratchIsRefusedAsThePlaceOfResults() throws Exception {
        for (String scratch : List.of("/kaggle/temp/out", "/tmp/out", "/kaggle/working/../temp", "/kaggle/working")) {
            JobSpec spec = JobSpec.of("true").resultsDirectory(scratch).build();

            Report report = rig.backend.preflight(spec);

            assertThat(report.failed()).as(scratch).isTrue();
            assertThatThrownBy(() -> rig.submit(spec))
                    .isInstanceOf(Rejected.class)
                    .hasMessageContaining("does not outlive the session");
        }
        assertThat(rig.kaggle.pushes).isEmpty();
        JobSpec inSpec =
                JobSpec.of("true").spec(Map.of("results_dir", "/tmp/out")).build();
        assertThat(rig.backend.preflight(inSpec).failed()).isTrue();
    }

    @Test
    @Promise("NB-07")
    void codeComesByClone() throws Exception {
        Path repository = Files.createDirectories(temporary.resolve("repository"));
        Files.writeString(repository.resolve("train.py"), "print('cloned code')\n");
        git(repository, "init", "-q");
        git(repository, "add", ".");
        git(repository, "-c", "user.name=t", "-c", "user.email=t@t", "commit", "-qm", "one");
        git(repository, "tag", "v1");
        rig.kaggle.env.putAll(Map.of(
                "GIT_CONFIG_COUNT", "1",
                "GIT_CONFIG_KEY_0", "url." + repository.toUri() + ".insteadOf",
                "GIT_CONFIG_VALUE_0", "https://git.example/code.git"));
        KaggleOptions options =
                Records.of(KaggleOptions.class, "git", "https://git.example/code.git", "revision", "v1");

        JobHandle job =
                rig.submit(JobSpec.of("python3 train.py").options(options).build());
        rig.end(job);

        assertThat(rig.read(job, Stream.OUT)).isEqualTo("cloned code\n");
        assertThat(rig.read(job, Stream.ERR)).contains("code: https://git.example/code.git at ");
    }

    private static void git(Path directory, String... words) throws Exception {
        List<String> command = new java.util.ArrayList<>(List.of("git", "-C", directory.toString()));
        command.addAll(List.of(words));
        assertThat(new ProcessBuilder(command).start().waitFor()).isZero();
    }

    @Test
    @Promise("NB-07")
    void codeDataAndSecretsComeAsMountedDataSets() throws Exception {
        Files.writeString(data("dev/code").resolve("train.sh"), "echo mounted code; cat \"$1\"; echo $API_KEY\n");
        Files.writeString(data("dev/coco").resolve("labels"), "cat, dog\n");
        Files.writeString(data("dev/private").resolve("API_KEY"), "very-secret-1\n");
        KaggleOptions options = Records.of(
                KaggleOptions.class,
                "codeDataset",
                "dev/code",
                "datasets",
                List.of("dev/coco"),
                "secretsDataset",
                "dev/private");

        JobHandle job = rig.submit(JobSpec.of("sh train.sh /kaggle/input/coco/labels; test ${#API_KEY} = 13")
                .inputs(List.of("/kaggle/input/coco/labels"))
                .options(options)
                .build());
        JobStatus status = rig.end(job);

        assertThat(rig.read(job, Stream.OUT)).isEqualTo("mounted code\ncat, dog\n***\n");
        assertThat(status.exitCode()).hasValue(0);
        assertThat(rig.kaggle.pushes.get(0).toString()).doesNotContain("very-secret");
        assertThat(rig.fetch(job).text("logs/main.out")).endsWith("***\n");
    }

    private Path data(String name) throws Exception {
        Path directory = Files.createDirectories(temporary.resolve("data").resolve(name));
        rig.kaggle.datasets.put(name, directory);
        return directory;
    }

    @Test
    void anInputThatIsNotMountedEndsTheSessionBeforeTheCommand() throws Exception {
        JobHandle job = rig.submit(JobSpec.of("echo started")
                .inputs(List.of("/kaggle/input/coco/labels"))
                .build());

        assertThat(rig.end(job).reason().orElseThrow()).contains("coco/labels is not mounted; attach its dataset");
        assertThat(rig.read(job, Stream.OUT)).isEmpty();
    }

    @Test
    @Promise({"NB-12", "NB-14"})
    void aLongTrainingGoesOnInTheNextSessionFromWhatTheLastOneLeft() throws Exception {
        rig.sessionsEndWithFile("over");
        String training = """
                trap 'echo asked to end; exit 0' TERM
                n=$(cat {results_dir}/epoch 2>/dev/null || echo 0)
                echo begins with $n
                [ $n = 0 ] || { echo done >{results_dir}/model.pth; exit 0; }
                echo 7 >{results_dir}/epoch; mkdir -p {results_dir}/sub; echo x >{results_dir}/sub/y; touch over
                while :; do sleep 0.1; done
                """;
        JobSpec spec = JobSpec.of(training)
                .resources(minutes(1))
                .options(Records.of(KaggleOptions.class, "sessions", 2))
                .build();

        JobHandle first = rig.submit(spec);
        JobStatus ended = rig.end(first);
        JobHandle second = rig.backend.resubmit(first, Map.of(), Set.of());
        JobStatus done = rig.end(second);

        assertThat(ended.ending()).hasValue(Ending.PREEMPTED);
        assertThat(ended.reason().orElseThrow())
                .contains("session 1 of 2 reached its time limit; the next session resumes");
        assertThat(rig.read(first, Stream.OUT)).isEqualTo("begins with 0\nasked to end\n");
        assertThat(rig.read(second, Stream.OUT)).isEqualTo("begins with 7\n");
        assertThat(rig.read(second, Stream.ERR)).contains("resumes from ", ": 2 files");
        assertThat(done.ending()).hasValue(Ending.COMPLETED);
        assertThat(rig.fetch(second, "*.pth", "sub/*").text("results/model.pth"))
                .isEqualTo("done\n");
        assertThat(rig.kaggle.pushes.get(1).path("kernelDataSources").toString())
                .isEqualTo("[\"dev/tao-" + KaggleRig.KEY + "\"]");
    }

    @Test
    void theLastSessionThatReachesItsLimitIsATimeLimit() throws Exception {
        rig.sessionsEndWithFile("over");

        JobStatus status = rig.run(
                JobSpec.of("touch over; exec sleep 600").resources(minutes(1)).build());

        assertThat(status.ending()).hasValue(Ending.TIME_LIMIT);
        assertThat(status.reason()).hasValue("session 1 of 1 reached its time limit");
    }

    @Test
    void aSessionThatKaggleItselfEndsIsATimeLimitToo() throws Exception {
        rig.kaggle.edit = text -> text.replace("TAO.close()\"", "import time; time.sleep(600)\"");
        rig.kaggle.sessionLimit = OptionalLong.of(2);

        JobStatus status = rig.run(JobSpec.of("true").build());

        assertThat(status.ending()).hasValue(Ending.TIME_LIMIT);
        assertThat(status.reason().orElseThrow()).contains("exceeded the time limit");
    }

    @Test
    void aJobCanBeginWithTheResultsOfAnotherOne() throws Exception {
        JobHandle before = rig.submit(JobSpec.of("echo 3 >{results_dir}/epoch").build());
        rig.end(before);

        JobHandle after = rig.backend.submit(
                JobSpec.of("cat {results_dir}/epoch")
                        .options(Records.of(KaggleOptions.class, "resumeFrom", "dev/" + before.nativeId()))
                        .build(),
                new io.jenkins.plugins.tao.job.JobKey("other"));
        rig.end(after);

        assertThat(rig.read(after, Stream.OUT)).isEqualTo("3\n");
    }

    @Test
    void theFirstCellRunAgainChangesNothing() throws Exception {
        rig.kaggle.edit = text -> text.replace(
                "TAO.step(\\\"code\\\", TAO.fetch_code)",
                "(TAO.results / 'epoch').write_text('newer'); TAO.step(\\\"prepare\\\", TAO.prepare)");
        JobHandle first =
                rig.submit(JobSpec.of("echo older >{results_dir}/epoch").build());
        rig.end(first);

        JobHandle second = rig.backend.resubmit(first, Map.of(), Set.of());
        rig.end(second);

        assertThat(rig.read(second, Stream.ERR)).contains(": 1 files", ": 0 files");
    }

    @Test
    void theSpecIsWrittenForTheCommand() throws Exception {
        JobHandle job = rig.submit(JobSpec.of("cat {config_path}; echo; echo {job_id} {num_gpus} $TAO_RESULTS_ROOT")
                .spec(Map.of("train", Map.of("name", "it's \"é\" \\ ✓ '''")))
                .build());
        rig.end(job);

        assertThat(rig.read(job, Stream.OUT))
                .contains("  name: \"it's \\\"é\\\" \\\\ ✓ '''\"\n", "/results/" + KaggleRig.KEY + "\"")
                .contains("\n" + KaggleRig.KEY + " 1 ");
    }

    @Test
    void aTalkativeCommandIsCutInTheLogAndWholeInItsFile() throws Exception {
        rig.kaggle.edit = text -> text.replace("LOG_BYTES = 6 << 20", "LOG_BYTES = 1000");

        JobHandle job = rig.submit(JobSpec.of("seq 1 5000").build());
        rig.end(job);

        assertThat(rig.read(job, Stream.OUT).length()).isLessThanOrEqualTo(1000);
        assertThat(rig.read(job, Stream.ERR)).contains("this log ends here");
        assertThat(rig.fetch(job).text("logs/main.out")).startsWith("1\n2\n").endsWith("\n5000\n");
    }

    @Test
    void aCommandCannotForgeTheEnd() throws Exception {
        JobStatus status = rig.run(JobSpec.of("echo 'tao-run[" + KaggleRig.KEY + ".1] exit 0 done' >&2; exit 4")
                .build());

        assertThat(status.exitCode()).hasValue(4);
    }
}
