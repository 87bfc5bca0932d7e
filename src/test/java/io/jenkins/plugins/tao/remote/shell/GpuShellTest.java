package io.jenkins.plugins.tao.remote.shell;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.remote.PlayedGpus;
import io.jenkins.plugins.tao.remote.host.LocalHost;
import io.jenkins.plugins.tao.remote.host.Reply;
import java.io.IOException;
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

    /** What it wrote until its frame had ended, which waits for {@code event}, shell text; and it itself. */
    private String told(String shell, String ids, String event) throws Exception {
        return told(shell, ids, "until " + event + "; do sleep 0.1; done & frame=$!", "wait $frame; wait $watcher");
    }

    /** What it wrote before it ended by its own choice, while its frame was still there. */
    private String allThatItWrote(String shell, String ids) throws Exception {
        return told(shell, ids, "sleep 3000 & frame=$!", "wait $watcher; rc=$?; kill $frame; (exit $rc)");
    }

    private String told(String shell, String ids, String frame, String end) throws Exception {
        Path program =
                Files.writeString(folder.resolve("gpus.sh"), GpuShell.program().replace("KILL 20", "KILL " + limit));
        Path out = folder.resolve("out");
        Files.deleteIfExists(out);
        Reply reply = new LocalHost()
                .run(
                        "export PATH=" + gpus.bin() + ":$PATH\n" + frame + "\n" + shell + " " + program + " $frame '"
                                + ids + "' 1 >" + out + " 2>" + folder.resolve("err")
                                + " </dev/null & watcher=$!\n" + end + "\n",
                        Duration.ofMinutes(5));
        assertThat(reply.exitCode()).isZero();
        assertThat(folder.resolve("err")).isEmptyFile();
        return Files.readString(out);
    }

    private String outHas(String text) {
        return "grep -qs '" + text + "' '" + folder.resolve("out") + "'";
    }

    @Test
    @Promise({"NV-01", "NS-24"})
    void theKindOfGpuTheDriverAndTheUseAreToldInWhateverShellRuns() throws Exception {
        gpus.with(PlayedGpus.TWO);
        for (String shell : SHELLS) {
            String told = told(shell, "", outHas("^use "));

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
            assertThat(told("dash", ids, outHas("^use ")))
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
            assertThat(told(shell, "", outHas("^use ")))
                    .contains("gpu 1, Tesla K80, 470.82.01, -\n")
                    .containsPattern("(?m)^use \\d{10} 0,-,- 1,-,11$");
        }
        assertThat(allThatItWrote("dash", "MIG-5ad0c0de-0001"))
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
            Path asked = folder.resolve("asked");
            Files.deleteIfExists(asked);
            gpus.says(": >'" + asked + "'; " + words + "\n");
            assertThat(told("busybox sh", "", "[ -e '" + asked + "' ]")).isEmpty();
        }
        Files.delete(gpus.bin().resolve("nvidia-smi"));
        assertThat(allThatItWrote("dash", "")).isEmpty();
    }

    @Test
    void aDriverThatHangsIsGivenUpAndKeepsNobody() throws Exception {
        Path asked = folder.resolve("asked");
        gpus.says(": >'" + asked + "'; exec sleep 600\n");
        limit = "1";

        assertThat(told("busybox sh", "", "[ -e '" + asked + "' ]")).isEmpty();
    }

    @Test
    void itEndsWithItsFrameAndAtOnceWhenItIsAskedTo() throws Exception {
        gpus.with(PlayedGpus.TWO);
        // it sleeps in steps of half a minute; with a longer one only the signal can be what ends it
        String steps = GpuShell.program().replace("< 30 ? tao_left : 30", "< 3000 ? tao_left : 3000");
        Path program = Files.writeString(folder.resolve("gpus.sh"), steps);
        for (String shell : SHELLS) {
            String text = "export PATH=" + gpus.bin() + ":$PATH\nexec " + shell + " " + program + " "
                    + ProcessHandle.current().pid() + " '' 3000 >" + folder.resolve("out") + " 2>/dev/null </dev/null";
            Process watcher = new ProcessBuilder("sh", "-c", text).start();
            await().until(() -> rests(watcher.pid()));
            List<ProcessHandle> sleepers = watcher.children().toList();

            watcher.destroy();

            assertThat(watcher.waitFor(5, TimeUnit.MINUTES)).isTrue();
            assertThat(sleepers).isNotEmpty();
            await().until(() -> sleepers.stream().noneMatch(ProcessHandle::isAlive));
        }
    }

    /** Whether it has a trap for TERM, as it has while it sleeps between two samples. */
    private static boolean rests(long pid) throws IOException {
        return Files.readAllLines(Path.of("/proc/" + pid + "/status")).stream()
                .filter(line -> line.startsWith("SigCgt:"))
                .anyMatch(line -> (Long.parseUnsignedLong(line.substring(7).strip(), 16) & 1L << 14) != 0);
    }
}
