package io.jenkins.plugins.tao.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.backend.BackendTypes;
import io.jenkins.plugins.tao.history.RunHistory;
import io.jenkins.plugins.tao.record.RunRecord;
import java.io.IOException;
import java.nio.file.Path;
import java.util.OptionalDouble;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** Commands before and after a real job on this machine, run by the terminal. */
class HooksRunTest {
    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    Path directory;

    private Bench bench;

    @BeforeEach
    void here() throws IOException {
        bench = new Bench(directory, BackendTypes.load());
        bench.write("tao-targets.yaml", "targets: {here: {backend: local, baseDirectory: " + directory + "/tao}}\n");
    }

    private int run(String pre, String command, String post) throws IOException {
        bench.write("job.yaml", """
                target: here
                gpus: 0
                pre: "%s"
                command: "%s"
                post: "%s"
                """.formatted(pre, command, post));
        return bench.tao("run", "job.yaml", "--interval", "1s");
    }

    private RunRecord record() throws IOException {
        return new RunHistory(directory.resolve("tao-artifacts"))
                .read()
                .records()
                .get(0);
    }

    @Test
    @Promise("NS-21")
    void aPreCommandThatFailsIsTheCauseOfTheJob() throws Exception {
        assertThat(run("exit 9", "echo trained", "echo after")).isNotZero();

        assertThat(record().text("outcome/cause")).as(bench::out).hasValue("LAUNCH");
        assertThat(record().number("outcome/preExitCode")).isEqualTo(OptionalDouble.of(9));
        assertThat(bench.out()).contains("The pre command failed", "was not started");
        assertThat(bench.out()).doesNotContain("trained\n");
    }

    @Test
    @Promise("NS-21")
    void aPostCommandThatFailsIsToldAndTheRunIsAsGoodAsItsCommand() throws Exception {
        assertThat(run("true", "echo trained", "exit 3"))
                .as(() -> bench.out() + bench.err())
                .isZero();

        assertThat(record().text("outcome/word")).hasValue("succeeded");
        assertThat(record().number("outcome/postExitCode")).isEqualTo(OptionalDouble.of(3));
        assertThat(bench.out()).contains("The post command failed with exit code 3: the command had ended with 0.");
    }
}
