package io.jenkins.plugins.tao.backend.notebook;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jenkins.plugins.tao.Golden;
import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.backend.BackendException.Rejected;
import io.jenkins.plugins.tao.backend.BackendTypes;
import io.jenkins.plugins.tao.backend.NotebookType;
import io.jenkins.plugins.tao.job.JobKey;
import io.jenkins.plugins.tao.job.JobSpec;
import io.jenkins.plugins.tao.job.Secret;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Colab is no target, and its notebook works: cells are run for real, with a drive of our own that may lose content. */
class ColabTest {
    private static final Path RESOURCES = Path.of("src/test/resources/io/jenkins/plugins/tao/backend/notebook");
    private static final JobKey KEY = new JobKey("dino");

    @TempDir
    Path temporary;

    private final ColabType type = new ColabType();
    private final Map<String, String> env = new java.util.TreeMap<>();
    private Path drive;

    @BeforeEach
    void prepare() throws Exception {
        drive = Files.createDirectories(temporary.resolve("drive"));
        Path bin = Files.createDirectories(temporary.resolve("bin"));
        Files.copy(RESOURCES.resolve("nvidia-smi"), bin.resolve("nvidia-smi"));
        bin.resolve("nvidia-smi").toFile().setExecutable(true);
        env.put("PATH", bin + ":" + System.getenv("PATH"));
        env.put("PYTHONPATH", RESOURCES.resolve("colab").toAbsolutePath().toString());
        env.put("PYTHONDONTWRITEBYTECODE", "1");
        env.put("LANG", "C.UTF-8");
        env.put("SIM_GPUS", "1");
        env.put("SIM_DRIVE", drive.toString());
    }

    private String notebook(JobSpec spec) throws Exception {
        return type.preview(new ColabType.Place("colab"), spec, KEY)
                .parts()
                .get(0)
                .text();
    }

    /** Runs it on a machine that has nothing but the drive, and gives what it prints. */
    private String session(String notebook) throws IOException, InterruptedException {
        Path machine = Files.createTempDirectory(temporary, "machine");
        Path file = Files.writeString(machine.resolve("n.ipynb"), notebook.replace("/content", machine + "/content"));
        ProcessBuilder python = new ProcessBuilder(
                "python3", RESOURCES.resolve("cells.py").toAbsolutePath().toString(), file.toString());
        python.environment().clear();
        python.environment().putAll(env);
        Process process = python.redirectErrorStream(true).start();
        process.getOutputStream().close();
        String out = new String(process.getInputStream().readAllBytes(), UTF_8);
        assertThat(process.waitFor()).as(out).isZero();
        return out;
    }

    private String kept(String name) throws IOException {
        return Files.readString(drive.resolve("tao-run/dino").resolve(name));
    }

    @Test
    @Promise("NB-01")
    void itIsNoTargetAndItsPageSaysWhy() throws Exception {
        assertThat(BackendTypes.load().all()).noneMatch(type -> type.name().equals("colab"));
        assertThat(BackendTypes.load(NotebookType.class).named("colab")).isInstanceOf(ColabType.class);
        assertThat(Files.readString(Path.of("docs/backends/notebook/colab.md")))
                .contains("The tab must stay open", "about 90 minutes", "about 12 hours", "no call starts a notebook");
    }

    @Test
    @Promise("NB-02")
    void theNotebookResumesFromTheDriveAsOftenAsItIsRun() throws Exception {
        String notebook = notebook(JobSpec.of("n=$(cat {results_dir}/ckpt/epoch 2>/dev/null || echo 0); echo at $n;"
                        + " mkdir -p {results_dir}/ckpt; echo $((n + 1)) >{results_dir}/ckpt/epoch")
                .build());

        String first = session(notebook);
        String second = session(notebook);
        String third = session(notebook);

        assertThat(first).contains("starts from the beginning", "at 0\n", "[tao] drive: ckpt/epoch 2 bytes");
        assertThat(second).contains("resumes from ", ": 1 files", "at 1\n");
        assertThat(third).contains("at 2\n").endsWith("tao-run[dino.1] exit 0 done \n");
        assertThat(kept("ckpt/epoch")).isEqualTo("3\n");
        assertThat(Files.readString(Path.of("docs/backends/notebook/colab.md")))
                .contains("./tao notebook colab", "Run all", "checkpoint");
    }

    @Test
    @Promise("NB-08")
    void aCheckpointThatTheDriveListsEmptyDoesNotCount() throws Exception {
        String notebook = notebook(
                JobSpec.of("ls {results_dir}; echo good >{results_dir}/good.pth; echo bad >{results_dir}/bad.pth;"
                                + " : >{results_dir}/empty.pth")
                        .build());
        env.put("SIM_LOST", "bad.pth");

        String first = session(notebook);
        assertThat(kept("bad.pth")).isEmpty();
        env.remove("SIM_LOST");
        String second = session(notebook);

        assertThat(first)
                .contains("drive: bad.pth is NOT there yet", "drive: good.pth 5 bytes")
                .doesNotContain("drive: empty.pth");
        assertThat(second).contains(": 1 files", "\ngood.pth\n").doesNotContain("\nbad.pth\n");
        assertThat(kept("bad.pth")).isEqualTo("bad\n");
    }

    @Test
    void resultsAreKeptWhileTheCommandRuns() throws Exception {
        String notebook = notebook(JobSpec.of("echo one >{results_dir}/a.pth; until grep -qs a.pth"
                                + " /content/drive/MyDrive/tao-run/dino/tao-run/ready.json; do sleep 0.1; done;"
                                + " kill -9 $PPID; sleep 9")
                        .options(new ColabOptions(
                                Optional.empty(),
                                Optional.of(Duration.ofSeconds(1)),
                                Optional.empty(),
                                Optional.empty()))
                        .build())
                .replace("\\\"lookSeconds\\\" : 2", "\\\"lookSeconds\\\" : 0.2");
        Path machine = Files.createTempDirectory(temporary, "killed");
        Path file = Files.writeString(machine.resolve("n.ipynb"), notebook.replace("/content", machine + "/content"));
        ProcessBuilder python = new ProcessBuilder(
                "python3", RESOURCES.resolve("cells.py").toAbsolutePath().toString(), file.toString());
        python.environment().clear();
        python.environment().putAll(env);

        Process process = python.redirectErrorStream(true)
                .redirectOutput(machine.resolve("out").toFile())
                .start();
        process.getOutputStream().close();

        assertThat(process.waitFor()).isNotZero();
        assertThat(machine.resolve("content/drive/MyDrive/tao-run/dino/a.pth")).hasContent("one\n");
        assertThat(Files.readString(machine.resolve("content/drive/MyDrive/tao-run/dino/tao-run/ready.json")))
                .contains("\"a.pth\": 4");
    }

    @Test
    @Promise("NB-13")
    void deviceDriveVersionsAndSpaceArePrintedFirst() throws Exception {
        Files.createDirectories(drive.resolve("tao-run/dino/older"));

        List<String> lines =
                session(notebook(JobSpec.of("echo begun").build())).lines().toList();

        assertThat(lines.get(0)).isEqualTo("[tao] drive: older");
        assertThat(lines.get(2)).startsWith("[tao] devices: GPU 0: Tesla T4");
        assertThat(lines.get(3)).startsWith("[tao] versions: python ");
        assertThat(lines.get(4)).startsWith("[tao] space: ");
        assertThat(lines.indexOf("begun")).isGreaterThan(5);
    }

    @Test
    void secretsAreReadFromColabsOwnPanelByName() throws Exception {
        String notebook = notebook(JobSpec.of("echo $HF_TOKEN | wc -c; echo $HF_TOKEN")
                .secrets(Map.of("HF_TOKEN", Secret.of("never-in-the-notebook")))
                .build());
        env.put("SIM_SECRET_HF_TOKEN", "from-the-panel");

        assertThat(notebook).contains("HF_TOKEN").doesNotContain("never-in-the-notebook");
        assertThat(session(notebook)).contains("15\n***\n");
    }

    @Test
    void withoutAGpuItEndsAtOnce() throws Exception {
        env.put("SIM_GPUS", "0");

        assertThat(session(notebook(JobSpec.of("echo begun").build())))
                .contains("has 0 GPU(s)", "exit 75 launch")
                .doesNotContain("begun");
    }

    @Test
    void whatColabCannotHonourIsRefused() {
        refused(JobSpec.of("x").image("nvcr.io/nvidia/tao:6").build(), "cannot run on Colab");
        refused(JobSpec.of("x").resultsDirectory("/content/out").build(), "would not outlive the session");
        refused(JobSpec.of("x").inputs(List.of("/data")).build(), "brings no inputs");
        refused(JobSpec.of("curl -u hf_abcdefghijklmnopqrstuvwx").build(), "something like a secret in the command");
    }

    private void refused(JobSpec spec, String words) {
        assertThatThrownBy(() -> type.preview(new ColabType.Place("colab"), spec, KEY))
                .isInstanceOf(Rejected.class)
                .hasMessageContaining(words);
    }

    @Test
    void theNotebookIsWhatItWas() throws Exception {
        String text = notebook(JobSpec.of("tao model dino train -e {config_path}")
                .spec(Map.of("train", Map.of("num_epochs", 2)))
                .build());

        Golden.check("backend/notebook/colab.ipynb", text);
        assertThat(Objects.requireNonNull(text)).contains("\"nbformat\" : 4");
    }
}
