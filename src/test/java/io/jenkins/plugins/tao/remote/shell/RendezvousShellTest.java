package io.jenkins.plugins.tao.remote.shell;

import static org.assertj.core.api.Assertions.assertThat;

import io.jenkins.plugins.tao.FreePort;
import io.jenkins.plugins.tao.Promise;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Real shells on this machine, each of which plays a job. */
final class RendezvousShellTest {
    @TempDir
    private Path ports;

    /** A shell that has told its port and lives until its input ends. */
    private Process job(String shell, String before, String seed) throws IOException {
        List<String> words = new ArrayList<>(List.of(shell.split(" ", -1)));
        words.addAll(List.of(
                "-c",
                "tao_ports_dir=" + ports + "\n" + RendezvousShell.functions() + "\n" + before + "\ntao_rendezvous "
                        + seed + "\necho \"$MASTER_PORT $PET_MASTER_PORT\"\ncat > /dev/null"));
        ProcessBuilder builder = new ProcessBuilder(words).redirectErrorStream(true);
        builder.environment().keySet().removeAll(RendezvousShell.NAMES);
        return builder.start();
    }

    private static String told(Process job) throws IOException {
        return new String(job.getInputStream().readNBytes(12), StandardCharsets.US_ASCII);
    }

    private static void end(Process job) throws Exception {
        try (OutputStream in = job.getOutputStream()) {
            in.flush();
        }
        assertThat(job.waitFor()).isEqualTo(0);
    }

    private static void assumeThere(String shell) {
        Assumptions.assumeTrue(
                Files.isExecutable(Path.of("/bin", shell.split(" ", -1)[0]))
                        || Files.isExecutable(Path.of("/usr/bin", shell.split(" ", -1)[0])),
                shell + " is not on this machine");
    }

    @ParameterizedTest
    @Promise("TR-19")
    @ValueSource(strings = {"bash", "dash", "busybox sh"})
    void jobsThatBeginAtOnceOnOneMachineGetDifferentPorts(String shell) throws Exception {
        assumeThere(shell);
        int first = FreePort.find();
        String seed = String.valueOf(first - 10000);
        List<Process> jobs = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            jobs.add(job(shell, "", seed));
        }
        List<String> told = new ArrayList<>();
        for (Process job : jobs) {
            told.add(told(job));
        }

        assertThat(told).doesNotHaveDuplicates().allMatch(text -> text.matches("(\\d{5}) \\1\n"));
        for (Process job : jobs) {
            end(job);
        }
        Process next = job(shell, "", seed);
        assertThat(told(next)).as("a claim ends with its job").isEqualTo(first + " " + first + "\n");
        end(next);
    }

    @ParameterizedTest
    @Promise("TR-19")
    @ValueSource(strings = {"bash", "dash", "busybox sh"})
    void aPortThatASocketUsesIsLeftOut(String shell) throws Exception {
        assumeThere(shell);
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            int port = taken.getLocalPort();
            String top = "tao_ports_top() { echo 61000; }";
            Process job = job(shell, top, String.valueOf(port - 10000));

            int next = Integer.parseInt(told(job).substring(0, 5));
            assertThat(next).as("others may have the ports right behind it").isBetween(port + 1, port + 50);
            end(job);
        }
    }

    @ParameterizedTest
    @Promise("TR-19")
    @ValueSource(strings = {"bash", "dash", "busybox sh"})
    void whatTheUserSetsStays(String shell) throws Exception {
        assumeThere(shell);
        Process job = job(shell, "MASTER_PORT=29500", "1");

        assertThat(told(job)).isEqualTo("29500 29500\n");
        end(job);
    }

    @ParameterizedTest
    @Promise("TR-19")
    @ValueSource(strings = {"bash", "dash", "busybox sh"})
    void withoutAPlaceForNotesTheSeedDecides(String shell) throws Exception {
        assumeThere(shell);
        Process job = job(shell, "tao_ports_claim() { return 1; }", "7");

        assertThat(told(job)).isEqualTo("10007 10007\n");
        job.destroy();
    }
}
