package io.jenkins.plugins.tao.remote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class LocalProgramTest {
    private static String run(String script) throws IOException, InterruptedException {
        return LocalProgram.output(new ProcessBuilder("sh", "-c", script), Duration.ofSeconds(2));
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
        assertThatThrownBy(() -> run("sleep 86399 & wait")).hasMessage("did not end within 2 s");
        assertThat(ProcessHandle.allProcesses()
                        .filter(other -> other.info()
                                .commandLine()
                                .filter(line -> line.endsWith("sleep 86399"))
                                .isPresent()))
                .isEmpty();
    }

    @Test
    void anOutputThatIsLeftOpenDoesNotHangUs() {
        assertThatThrownBy(() -> run("sleep 8 & echo key"))
                .hasMessage("ended, and left its output open to another program");
    }
}
