package io.jenkins.plugins.tao.remote.shell;

import static org.assertj.core.api.Assertions.assertThat;

import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.remote.PlayedGpus;
import io.jenkins.plugins.tao.remote.host.LocalHost;
import io.jenkins.plugins.tao.remote.host.Reply;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The watcher of GPUs under each shell that may be a machine's {@code sh}, beside a frame that is played by a sleep. */
class GpuShellTest {
    private static final List<String> SHELLS = List.of("dash", "bash", "busybox sh");

    @TempDir
    Path folder;

    private PlayedGpus gpus;
    private String limit = "20";

    @BeforeEach
    void machine() throws Exception {
        gpus = new PlayedGpus(folder);
    }

    /** What it wrote until a frame of this many seconds had ended, and it itself. */
    private String told(String shell, String ids, double seconds) throws Exception {
        Path program =
                Files.writeString(folder.resolve("gpus.sh"), GpuShell.program().replace("KILL 20", "KILL " + limit));
        Path out = folder.resolve("out");
        Files.deleteIfExists(out);
        Reply reply = new LocalHost()
                .run(
                        "export PATH=" + gpus.bin() + ":$PATH\nsleep " + seconds + " & frame=$!\n" + shell + " "
                                + program
                                + " $frame '" + ids + "' 1 >" + out + " 2>" + folder.resolve("err")
                                + " </dev/null & watcher=$!\nwait $frame\nwait $watcher\n",
                        Duration.ofSeconds(20));
        assertThat(reply.exitCode()).isZero();
        assertThat(folder.resolve("err")).isEmptyFile();
        return Files.readString(out);
    }

    @Test
    @Promise({"NV-01", "NS-24"})
    void theKindOfGpuTheDriverAndTheUseAreToldInWhateverShellRuns() throws Exception {
        gpus.with(PlayedGpus.TWO);
        for (String shell : SHELLS) {
            String told = told(shell, "", 2.6);

            assertThat(told)
                    .startsWith("node ")
                    .contains(
                            "\ngpu 0, NVIDIA H100 80GB HBM3, 535.104.05, 81559\n",
                            "\ngpu 1, NVIDIA H100 80GB HBM3, 535.104.05, 81559\n",
                            "\ncuda 12.2\n")
                    .containsPattern("(?m)^use \\d{10} 0,97,40123 1,0,3$");
        }
    }

    @Test
    void onlyTheGpusOfTheJobAreToldByNumberOrByTheBeginningOfTheirNames() throws Exception {
        gpus.with(PlayedGpus.TWO);
        for (String ids : List.of("1", "GPU-5ad0c0de-0002")) {
            assertThat(told("dash", ids, 1.6))
                    .contains("gpu 1, ")
                    .doesNotContain("gpu 0, ")
                    .containsPattern("(?m)^use \\d{10} 1,0,3$");
        }
    }

    @Test
    void whatTheDriverDoesNotTellIsADashAndAPartOfAGpuHasNoUseOfItsOwn() throws Exception {
        gpus.with("""
                0, GPU-1, NVIDIA A100-SXM4-40GB, 550.54.15, 40960, [N/A], [Insufficient Permissions]
                1, GPU-2, Tesla K80, 470.82.01, [Not Supported], [Not Supported], 11
                """);
        for (String shell : SHELLS) {
            assertThat(told(shell, "", 1.6))
                    .contains("gpu 1, Tesla K80, 470.82.01, -\n")
                    .containsPattern("(?m)^use \\d{10} 0,-,- 1,-,11$");
        }
        assertThat(told("dash", "MIG-5ad0c0de-0001", 2.2))
                .contains("gpu 0, NVIDIA A100")
                .doesNotContain("use ");
    }

    @Test
    void aMachineThatTellsNothingIsLeftAlone() throws Exception {
        List<String> broken = List.of(
                "echo 'No devices were found'; exit 6",
                "echo 'Failed to initialize NVML: Driver/library version mismatch'; exit 18",
                "echo \"NVIDIA-SMI has failed because it couldn't communicate with the NVIDIA driver.\"; exit 9");
        for (String words : broken) {
            gpus.says(words + "\n");
            assertThat(told("busybox sh", "", 1.4)).isEmpty();
        }
        Files.delete(gpus.bin().resolve("nvidia-smi"));
        long before = System.nanoTime();
        assertThat(told("dash", "", 0.1)).isEmpty();
        assertThat(Duration.ofNanos(System.nanoTime() - before)).isLessThan(Duration.ofSeconds(5));
    }

    @Test
    void aDriverThatHangsIsGivenUpAndKeepsNobody() throws Exception {
        gpus.says("exec sleep 600\n");
        limit = "1";

        assertThat(told("busybox sh", "", 2.5)).isEmpty();
    }

    @Test
    void itEndsWithItsFrameAndAtOnceWhenItIsAskedTo() throws Exception {
        gpus.with(PlayedGpus.TWO);
        Path program = Files.writeString(folder.resolve("gpus.sh"), GpuShell.program());
        for (String shell : SHELLS) {
            String text = "export PATH=" + gpus.bin() + ":$PATH\nexec " + shell + " " + program + " "
                    + ProcessHandle.current().pid() + " '' 600 >" + folder.resolve("out") + " 2>/dev/null </dev/null";
            Process watcher = new ProcessBuilder("sh", "-c", text).start();
            awaitText("cuda");

            watcher.destroy();

            assertThat(watcher.waitFor(5, TimeUnit.SECONDS)).isTrue();
            assertThat(watcher.descendants()).isEmpty();
        }
    }

    private void awaitText(String text) throws Exception {
        Path out = folder.resolve("out");
        for (int i = 0; i < 200 && !(Files.exists(out) && Files.readString(out).contains(text)); i++) {
            TimeUnit.MILLISECONDS.sleep(50);
        }
        TimeUnit.MILLISECONDS.sleep(100);
    }
}
