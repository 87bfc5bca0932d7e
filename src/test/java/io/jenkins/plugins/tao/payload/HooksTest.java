package io.jenkins.plugins.tao.payload;

import static io.jenkins.plugins.tao.payload.Container.KEY;
import static org.assertj.core.api.Assertions.assertThat;

import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.job.Hooks;
import io.jenkins.plugins.tao.job.JobSpec;
import io.jenkins.plugins.tao.status.HookLines;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What runs around a command, through the real frame of containers in each shell that images have. */
class HooksTest {
    private static final String SHELLS = "io.jenkins.plugins.tao.payload.Container#shells";

    @TempDir
    Path folder;

    private String script(String pre, String command, String post) throws Exception {
        JobSpec spec = JobSpec.of(command)
                .spec(Map.of("lr", 1))
                .hooks(new Hooks(Optional.of(pre), Optional.of(post)))
                .build();
        return Payload.of(spec, KEY).resultsRoot(folder + "/mnt").script();
    }

    private Container.Log run(String shell, String pre, String command, String post) throws Exception {
        return Container.of(shell).run(script(pre, command, post), folder);
    }

    @ParameterizedTest
    @MethodSource(SHELLS)
    @Promise("NS-21")
    void bothRunAroundTheCommandInItsPlaceWithItsSpec(String shell) throws Exception {
        Container.Log log = run(
                shell,
                "grep -c lr {config_path} # first",
                "cat <<END\nbody of {job_id}\nEND",
                "echo \"after $TAO_EXIT_CODE\"");

        assertThat(log.output()).isEqualTo("1\nbody of " + KEY + "\nafter 0\n");
        assertThat(log.exitCode()).isZero();
    }

    @ParameterizedTest
    @MethodSource(SHELLS)
    @Promise("NS-21")
    void aPreCommandThatFailsKeepsTheCommandFromStarting(String shell) throws Exception {
        Container.Log log = run(shell, "echo looking; exit 9", "echo trained", "echo after");

        assertThat(log.output()).startsWith("looking\n").doesNotContain("trained", "after");
        assertThat(log.exitCode()).isEqualTo(9);
        assertThat(HookLines.in(log.output()))
                .containsExactly("The pre command failed with exit code 9: the command was not started.");
    }

    @ParameterizedTest
    @MethodSource(SHELLS)
    @Promise("NS-21")
    void aPostCommandRunsAfterAFailureAndItsOwnHidesNoExitCode(String shell) throws Exception {
        Container.Log log = run(shell, "true", "exit 5", "echo \"after $TAO_EXIT_CODE\"; exit 3");

        assertThat(log.output()).startsWith("after 5\n");
        assertThat(log.exitCode()).isEqualTo(5);
        assertThat(HookLines.in(log.output()))
                .containsExactly("The post command failed with exit code 3: the command had ended with 5.");
    }

    @ParameterizedTest
    @MethodSource(SHELLS)
    @Promise("NS-21")
    void aPostCommandRunsAfterACancelTooAndTheCommandKeepsItsGrace(String shell) throws Exception {
        Path log = folder.resolve("log");
        Process process = Container.of(shell)
                .logged(log)
                .start(
                        script(
                                "true",
                                "trap 'echo saved; exit 4' TERM; echo ready; while :; do sleep 0.1; done",
                                "echo \"after $TAO_EXIT_CODE\""),
                        folder);
        org.awaitility.Awaitility.await()
                .until(() -> java.nio.file.Files.exists(log)
                        && java.nio.file.Files.readString(log).contains("ready"));

        process.destroy();

        assertThat(process.waitFor(5, TimeUnit.MINUTES)).isTrue();
        assertThat(java.nio.file.Files.readString(log)).contains("saved\nafter 4\n");
        assertThat(process.exitValue()).isEqualTo(4);
    }
}
