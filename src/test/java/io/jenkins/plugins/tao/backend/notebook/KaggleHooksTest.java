package io.jenkins.plugins.tao.backend.notebook;

import static org.assertj.core.api.Assertions.assertThat;

import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.backend.Stream;
import io.jenkins.plugins.tao.job.Ending;
import io.jenkins.plugins.tao.job.Hooks;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.JobSpec;
import io.jenkins.plugins.tao.job.JobStatus;
import io.jenkins.plugins.tao.job.Resources;
import io.jenkins.plugins.tao.status.HookLines;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** What runs around a command in a notebook: the cells that are pushed, carried out by a real python. */
class KaggleHooksTest {
    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    Path temporary;

    private KaggleRig rig;

    @BeforeEach
    void open() throws Exception {
        rig = new KaggleRig(temporary.resolve("kaggle"));
    }

    @AfterEach
    void close() {
        rig.close();
    }

    private JobHandle submit(String pre, String command, String post) throws Exception {
        return rig.submit(JobSpec.of(command)
                .spec(Map.of("lr", 1))
                .hooks(new Hooks(Optional.of(pre), Optional.of(post)))
                .resources(new Resources(1, OptionalInt.of(0), OptionalInt.empty(), Optional.of(Duration.ofMinutes(1))))
                .build());
    }

    private List<String> hooks(JobHandle job) throws Exception {
        return HookLines.in(rig.read(job, Stream.OUT) + rig.read(job, Stream.ERR));
    }

    @Test
    @Promise("NS-21")
    void bothRunAroundTheCommandInItsPlaceWithItsSpec() throws Exception {
        JobHandle job = submit(
                "grep -c lr {config_path} # first",
                "cat <<END\nbody of {job_id}\nEND",
                "echo \"after $TAO_EXIT_CODE\"");

        assertThat(rig.end(job).exitCode()).hasValue(0);
        assertThat(rig.read(job, Stream.OUT)).isEqualTo("1\nbody of " + KaggleRig.KEY + "\nafter 0\n");
        assertThat(hooks(job)).isEmpty();
    }

    @Test
    @Promise("NS-21")
    void aPreCommandThatFailsKeepsTheCommandFromStarting() throws Exception {
        JobHandle job = submit("echo looking; exit 9", "echo trained", "echo after");

        JobStatus status = rig.end(job);

        assertThat(status.ending()).hasValue(Ending.FAILED);
        assertThat(status.exitCode()).hasValue(9);
        assertThat(rig.read(job, Stream.OUT)).startsWith("looking\n").doesNotContain("trained", "after");
        assertThat(hooks(job)).containsExactly("The pre command failed with exit code 9: the command was not started.");
    }

    @Test
    @Promise("NS-21")
    void aPostCommandRunsAfterAFailureAndItsOwnHidesNoExitCode() throws Exception {
        JobHandle job = submit("true", "exit 5", "echo \"after $TAO_EXIT_CODE\"; exit 3");

        assertThat(rig.end(job).exitCode()).hasValue(5);
        assertThat(rig.read(job, Stream.OUT)).startsWith("after 5\n");
        assertThat(hooks(job))
                .containsExactly("The post command failed with exit code 3: the command had ended with 5.");
    }

    @Test
    @Promise("NS-21")
    void aPostCommandThatFailsLeavesTheJobAsGoodAsItsCommand() throws Exception {
        JobHandle job = submit("true", "echo trained", "exit 3");

        JobStatus status = rig.end(job);

        assertThat(status.ending()).hasValue(Ending.COMPLETED);
        assertThat(status.exitCode()).hasValue(0);
        assertThat(hooks(job))
                .containsExactly("The post command failed with exit code 3: the command had ended with 0.");
    }

    @Test
    @Promise("NS-21")
    void aPostCommandRunsWhenTheSessionsTimeIsOverAndTheCommandKeepsItsGrace() throws Exception {
        rig.sessionsEndWithFile("ready");
        JobHandle job = submit(
                "true",
                "trap 'echo saved; exit 4' TERM; : > ready; while :; do sleep 0.1; done",
                "echo \"after $TAO_EXIT_CODE\"");

        assertThat(rig.end(job).ending()).hasValue(Ending.TIME_LIMIT);
        assertThat(rig.read(job, Stream.OUT)).isEqualTo("saved\nafter 4\n");
    }
}
