package io.jenkins.plugins.tao.cli.verbs;

import static org.assertj.core.api.Assertions.assertThat;

import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.backend.BackendTypes;
import io.jenkins.plugins.tao.cli.Program;
import io.jenkins.plugins.tao.cli.terminal.Interrupts;
import io.jenkins.plugins.tao.cli.terminal.Surroundings;
import io.jenkins.plugins.tao.monitor.HastyTicker;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Notebooks from a terminal, with the backends as they are shipped. */
class NotebookVerbTest {
    private static final String EXAMPLES =
            Path.of("docs/examples").toAbsolutePath().toString();

    @TempDir
    Path directory;

    private final Map<String, String> env = new HashMap<>(Map.of("KAGGLE_KEY", "k"));
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

    private int tao(String... arguments) {
        out.reset();
        PrintStream print = new PrintStream(out, true, StandardCharsets.UTF_8);
        Surroundings here = new Surroundings(
                env,
                directory,
                directory,
                new Surroundings.Terminal(false, new ByteArrayInputStream(new byte[0]), print, print),
                Clock.systemUTC(),
                BackendTypes.load(),
                HastyTicker::new);
        return Program.execute(here, new Interrupts(() -> {}), arguments);
    }

    private String text() {
        return out.toString(StandardCharsets.UTF_8);
    }

    private String job(String text) throws Exception {
        return Files.writeString(directory.resolve("job.yaml"), text).toString();
    }

    @Test
    void theColabExampleBecomesANotebook() throws Exception {
        int code = tao("notebook", "colab", EXAMPLES + "/colab.yaml");

        assertThat(text())
                .isEqualTo("wrote " + directory.resolve("colab.ipynb") + "; its first cell says how to run it\n");
        assertThat(code).isEqualTo(0);
        assertThat(Files.readString(directory.resolve("colab.ipynb")))
                .contains(
                        "\"nbformat\" : 4",
                        "/content/drive/MyDrive/trainings/dino/",
                        "HF_TOKEN",
                        "\\\"keepSeconds\\\" : 600")
                .contains("Keep this tab open");
    }

    @Test
    void theSameJobFileIsTheSameJobSoThatItResumes() throws Exception {
        tao("notebook", "colab", EXAMPLES + "/colab.yaml");
        tao("notebook", "colab", EXAMPLES + "/colab.yaml", "-o", "again.ipynb");

        assertThat(directory.resolve("again.ipynb")).hasSameTextualContentAs(directory.resolve("colab.ipynb"));
    }

    @Test
    void aFileThatIsThereIsReplacedByForceOnly() throws Exception {
        Path there = Files.writeString(directory.resolve("colab.ipynb"), "mine".repeat(100_000));

        assertThat(tao("notebook", "colab", EXAMPLES + "/colab.yaml")).isEqualTo(2);
        assertThat(text()).contains("is there already. Give --force");
        assertThat(there).hasContent("mine".repeat(100_000));

        assertThat(tao("notebook", "colab", EXAMPLES + "/colab.yaml", "--force"))
                .isEqualTo(0);
        assertThat(Files.readString(there)).startsWith("{").endsWith("}\n");
    }

    @Test
    void anUnknownKeyIsAnErrorThatNamesTheKnownOnes() throws Exception {
        assertThat(tao("notebook", "colab", job("command: x\noptions: {datasets: [a/b]}\n")))
                .isEqualTo(2);
        assertThat(text()).contains("unknown key 'datasets'", "drive", "keep");

        assertThat(tao("notebook", "colab", job("command: x\noptions: {drive: ../x}\n")))
                .isEqualTo(2);
        assertThat(text()).contains("must be a folder below MyDrive");

        assertThat(tao("notebook", "local", job("command: x\n"))).isEqualTo(2);
        assertThat(text()).contains("Target 'local' runs no notebooks. Use colab");

        assertThat(tao("notebook", "colap", job("command: x\n"))).isEqualTo(2);
        assertThat(text()).contains("There is no target 'colap'");
    }

    @Test
    void aDirectoryThatIsNotThereIsTold() throws Exception {
        assertThat(tao("notebook", "colab", job("command: x\n"), "-o", "none/x.ipynb"))
                .isEqualTo(2);
        assertThat(text()).contains("none/x.ipynb cannot be written");
    }

    @Test
    @Promise("NB-01")
    void aRunOnColabIsRefusedWithWhatToDoInstead() throws Exception {
        assertThat(tao("run", "-t", "colab", job("command: x\n"))).isEqualTo(2);
        assertThat(text())
                .contains("There is no target 'colab'")
                .contains("No program can start a notebook on Colab", "./tao notebook colab JOB_FILE");
    }

    @Test
    @Promise("NB-01")
    void aTargetThatWasKeptForColabIsRefusedTooAndHindersNoOther() throws Exception {
        Files.writeString(
                directory.resolve("tao-targets.yaml"),
                "targets: {old: {backend: colab}, k: {backend: kaggle, username: ada, key: env:KAGGLE_KEY}}\n");

        assertThat(tao("preview", "-t", "old", job("command: x\n"))).isEqualTo(2);
        assertThat(text())
                .contains("tao-targets.yaml:1:26: there is no backend 'colab'", "./tao notebook colab JOB_FILE");
        assertThat(tao("preview", "-t", "k", job("command: x\n"))).isEqualTo(0);
    }

    @Test
    void theKaggleExampleIsShownExactly() {
        int code = tao("preview", "--targets", EXAMPLES + "/targets.yaml", EXAMPLES + "/kaggle.yaml", "--id", "dino");

        assertThat(text())
                .contains("# ==> SaveKernel <==", "\"slug\" : \"ada/tao-dino\"", "\"sessionTimeoutSeconds\" : 28800")
                .contains("# ==> tao-dino.ipynb <==", "git clone");
        assertThat(code).isEqualTo(0);
    }

    @Test
    void aKaggleTargetIsBoundStrictly() throws Exception {
        Path targets = directory.resolve("tao-targets.yaml");
        Files.writeString(targets, "targets: {k: {backend: kaggle, username: ada, key: env:KAGGLE_KEY, gpu: 1}}\n");
        assertThat(tao("preview", "-t", "k", job("command: x\n"))).isEqualTo(2);
        assertThat(text()).contains("unknown key 'gpu'", "accelerator", "gpuSession");

        Files.writeString(targets, "targets: {k: {backend: kaggle, username: ada}}\n");
        assertThat(tao("preview", "-t", "k", job("command: x\n"))).isEqualTo(2);
        assertThat(text()).contains("either a key (of kaggle.json) or a token");

        Files.writeString(
                targets,
                "targets: {k: {backend: kaggle, username: ada, token: env:KAGGLE_KEY, gpuSession: 12h,"
                        + " proxy: 'http://proxy.example:3128'}}\n");
        assertThat(tao("preview", "-t", "k", job("command: x\noptions: {onCancel: delete, sessions: 2}\n")))
                .isEqualTo(0);
        assertThat(text()).contains("\"sessionTimeoutSeconds\" : 43200").contains("\\\"onCancel\\\" : \\\"DELETE\\\"");
    }
}
