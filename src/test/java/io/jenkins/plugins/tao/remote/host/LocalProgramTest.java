package io.jenkins.plugins.tao.remote.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LocalProgramTest {
    private static String run(String script) throws IOException, InterruptedException {
        return LocalProgram.output(new ProcessBuilder("sh", "-c", script), Duration.ofMinutes(5));
    }

    @Test
    void whatItPrintsIsItsOutputAloneAndItsInputIsEmpty() throws Exception {
        assertThat(run("cat; echo careful >&2; echo key")).isEqualTo("key\n");
    }

    @Test
    void aFailureIsToldWithTheFirstLineOfItsErrors() {
        assertThatThrownBy(() -> run("echo half; echo >&2; echo 'log in first' >&2; exit 3"))
                .isInstanceOf(IOException.class)
                .hasMessage("ended with exit code 3: log in first");
        assertThatThrownBy(() -> run("exit 1")).hasMessage("ended with exit code 1: it printed no error");
    }

    @Test
    void aProgramThatHangsIsKilledWithAllThatItStarted() {
        assertThatThrownBy(() -> LocalProgram.output(new ProcessBuilder("yes"), Duration.ofSeconds(1)))
                .hasMessage("did not end within 1 s");
        assertThatThrownBy(() -> LocalProgram.output(
                        new ProcessBuilder("sh", "-c", "sleep 86399 & wait"), Duration.ofSeconds(1)))
                .hasMessage("did not end within 1 s");
        assertThat(ProcessHandle.allProcesses()
                        .filter(other -> other.info()
                                .commandLine()
                                .filter(line -> line.endsWith("sleep 86399"))
                                .isPresent()))
                .isEmpty();
    }

    @Test
    void anOutputThatIsLeftOpenIsReadUpToTheEndOfTheProgram(@TempDir Path temporary) throws Exception {
        Path pid = temporary.resolve("pid");
        ProcessBuilder leavesItOpen =
                new ProcessBuilder("sh", "-c", "sleep 86400 & echo $! >\"$1\"; echo key", "sh", pid.toString());
        try {
            assertThat(LocalProgram.output(leavesItOpen, Duration.ofMinutes(5))).isEqualTo("key\n");
        } finally {
            ProcessHandle.of(Long.parseLong(Files.readString(pid).strip())).ifPresent(ProcessHandle::destroyForcibly);
        }
    }

    @Test
    void moreThanAPipeHoldsIsReadWholeAndNoMoreThanAMebibyte() throws Exception {
        assertThat(run("head -c 300000 /dev/zero | tr '\\0' x")).hasSize(300_000);
        assertThat(run("head -c 3000000 /dev/zero | tr '\\0' x")).hasSize(1 << 20);
    }
}
