package io.jenkins.plugins.tao.remote.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LocalProgramTest {
    private static String run(String script) throws IOException, InterruptedException {
        return LocalProgram.output(new ProcessBuilder("sh", "-c", script), Duration.ofMinutes(5));
    }

    private static boolean isAlive(long pid) {
        return ProcessHandle.of(pid).filter(ProcessHandle::isAlive).isPresent();
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
    void aProgramThatHangsIsKilledWithAllThatItStarted(@TempDir Path temporary) throws Exception {
        assertThatThrownBy(() -> LocalProgram.output(new ProcessBuilder("yes"), Duration.ofSeconds(1)))
                .hasMessage("did not end within 1 s");
        Path started = Files.createDirectory(temporary.resolve("started"));
        String text = "sleep 3000 & : >\"$1/$!\"; wait";
        assertThatThrownBy(() -> LocalProgram.output(
                        new ProcessBuilder("sh", "-c", text, "sh", started.toString()), Duration.ofSeconds(2)))
                .hasMessage("did not end within 2 s");
        try (Stream<Path> pids = Files.list(started)) {
            // a shell that a busy machine did not let begin has started nothing
            for (Path pid : pids.toList()) {
                await().until(() -> !isAlive(Long.parseLong(String.valueOf(pid.getFileName()))));
            }
        }
    }

    @Test
    void anOutputThatIsLeftOpenIsReadUpToTheEndOfTheProgram(@TempDir Path temporary) throws Exception {
        Path pid = temporary.resolve("pid");
        ProcessBuilder leavesItOpen =
                new ProcessBuilder("sh", "-c", "sleep 3000 & echo $! >\"$1\"; echo key", "sh", pid.toString());
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
