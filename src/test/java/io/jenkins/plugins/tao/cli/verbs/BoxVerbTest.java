package io.jenkins.plugins.tao.cli.verbs;

import static org.assertj.core.api.Assertions.assertThat;

import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.backend.BackendTypes;
import io.jenkins.plugins.tao.backend.Target;
import io.jenkins.plugins.tao.cli.Program;
import io.jenkins.plugins.tao.cli.input.Targets;
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
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Looking after a box from a terminal, on this machine. */
class BoxVerbTest {
    private static final String EXAMPLES =
            Path.of("docs/examples").toAbsolutePath().toString();

    @TempDir
    Path directory;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

    private Surroundings here() {
        PrintStream print = new PrintStream(out, true, StandardCharsets.UTF_8);
        return new Surroundings(
                Map.of("HF_TOKEN", "x"),
                directory,
                directory,
                new Surroundings.Terminal(false, new ByteArrayInputStream(new byte[0]), print, print),
                Clock.systemUTC(),
                BackendTypes.load(),
                HastyTicker::new);
    }

    private int tao(String... arguments) {
        out.reset();
        return Program.execute(here(), new Interrupts(() -> {}), arguments);
    }

    private String text() {
        return out.toString(StandardCharsets.UTF_8);
    }

    private void rented(String more) throws Exception {
        Files.writeString(
                directory.resolve("tao-targets.yaml"),
                "targets:\n  rented: {backend: local, baseDirectory: " + directory + "/tao, lease: rented" + more
                        + "}\n");
    }

    @Test
    @Promise("GB-02")
    void aJobOnARentedBoxBeginsWithTheBillAndEndsWithAReminderWhateverItsEnd() throws Exception {
        rented("");
        Files.writeString(directory.resolve("good.yaml"), "target: rented\ncommand: 'true'\n");
        Files.writeString(directory.resolve("bad.yaml"), "target: rented\ncommand: exit 3\n");

        assertThat(tao("run", "good.yaml", "--id", "good", "--interval", "1s")).isZero();
        assertThat(text())
                .containsSubsequence(
                        "costs money until you release it by hand",
                        "good succeeded",
                        "REMINDER: the box rented (",
                        "costs money until you release it: up for ");
        assertThat(tao("run", "bad.yaml", "--id", "bad", "--interval", "1s")).isEqualTo(1);
        assertThat(text()).containsSubsequence("bad failed", "REMINDER: the box rented (");
    }

    @Test
    @Promise("GE-18")
    void aFailureShowsTheLastHundredLinesAndWhatTheyMean() throws Exception {
        Files.writeString(
                directory.resolve("oom.yaml"),
                "target: local\ncommand: 'seq -f line-%g. 150; echo torch.OutOfMemoryError: CUDA out of memory. >&2; exit 1'\n");

        assertThat(tao("run", "oom.yaml", "--id", "oom", "--interval", "1s", "--no-log"))
                .isEqualTo(1);

        assertThat(text()).contains("line-52.", "line-150.", "OutOfMemoryError").doesNotContain("line-51.");
        assertThat(text()).contains("**First error**: torch.OutOfMemoryError: CUDA out of memory.");
    }

    @Test
    @Promise("GB-17")
    void theSpeedOfTheRouteIsMeasuredBothWays() throws Exception {
        rented("");

        assertThat(tao("box", "route", "rented", "--mib", "2")).isZero();
        assertThat(text())
                .containsPattern("there +\\d+\\.\\d MiB/s \\(2 MiB\\)\\nback +\\d+\\.\\d MiB/s \\(2 MiB\\)\\n");
    }

    @Test
    @Promise("GB-28")
    void stoppingAsksForApprovalAndTheReminderStopsNothing() throws Exception {
        rented(", stopCommand: 'touch " + directory + "/stopped'");

        assertThat(tao("box", "stop", "rented")).isEqualTo(2);
        assertThat(text()).contains("Nothing was stopped.", "--yes");
        assertThat(tao("box", "remind", "rented")).isZero();
        assertThat(text())
                .contains("It is idle. Nothing is stopped for you; on the command line: tao box stop rented --yes");
        assertThat(directory.resolve("stopped")).doesNotExist();

        assertThat(tao("box", "stop", "rented", "--yes")).isZero();
        assertThat(directory.resolve("stopped")).exists();
    }

    @Test
    void theOtherVerbsAnswer() throws Exception {
        rented("");

        assertThat(tao("box", "status", "rented")).isZero();
        assertThat(text()).contains("jobs: 0 running, 0 queued, 0 ended", "inodes are free below");
        assertThat(tao("box", "largest", "rented")).isZero();
        assertThat(tao("box", "port", "rented", "8888")).isZero();
        assertThat(text()).contains("http://localhost:8888");
        assertThat(tao("box", "checkpoints", "--cost", "30s", "--uptime", "3h")).isZero();
        assertThat(text()).isEqualTo("Write a full checkpoint every 805 s.\n");
        assertThat(tao("box", "status", "nowhere")).isEqualTo(2);
    }

    @Test
    @Promise({"GB-03", "GB-05"})
    void theExampleTargetIsABoxOnAPortOfItsOwn() throws Exception {
        Target target = Targets.find(Optional.of(EXAMPLES + "/targets.yaml"), here())
                .named("gpubox")
                .target();

        assertThat(target.toString())
                .contains("hosts=[gpu.example.com:2222]", "user=tao", "durableDirectory=Optional[/data/keep]");
        assertThat(tao("box", "port", "gpubox", "--targets", EXAMPLES + "/targets.yaml"))
                .isZero();
        assertThat(text()).isEqualTo("ssh -N -L 6006:localhost:6006 -p 2222 tao@gpu.example.com\n");
    }

    @Test
    void theExampleOfABoxIsShownExactlyAndWithoutItsSecret() {
        assertThat(tao("preview", "--targets", EXAMPLES + "/targets.yaml", EXAMPLES + "/box-train.yaml"))
                .isZero();
        assertThat(text())
                .contains("https://data.example.com/coco/train.zip /data/tao/data/coco/train.zip")
                .contains("tao_detach=tmux", "export TAO_CHECKPOINT_SECONDS=", "docker run -d --name \"$tao_name\"")
                .contains("export HF_HOME=/data/hf", "# secret, by standard input: HF_TOKEN");
    }
}
