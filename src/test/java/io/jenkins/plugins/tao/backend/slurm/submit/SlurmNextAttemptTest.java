package io.jenkins.plugins.tao.backend.slurm.submit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.backend.BackendException.Unreachable;
import io.jenkins.plugins.tao.backend.slurm.FakeSlurm;
import io.jenkins.plugins.tao.backend.slurm.Sample;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.JobSpec;
import io.jenkins.plugins.tao.job.Secret;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A further attempt on a cluster that breaks off anywhere: the next call sends it, or finds the one that was sent. */
final class SlurmNextAttemptTest {
    private static final Map<String, Secret> SECRETS = Map.of("A", Secret.of("hush"));
    private static final Set<String> FUNCTIONS = Set.of("taken() {", "hand_over() {", "send() {", "main() {");

    @TempDir
    Path directory;

    private FakeSlurm slurm;
    private JobHandle one;

    /** A cluster that remembers the jobs it took, the first attempt among them, and a sleep that takes no time. */
    @BeforeEach
    void cluster() throws Exception {
        slurm = new FakeSlurm(directory);
        String queue = "'" + slurm.base + "/queue'";
        slurm.command("sbatch", "echo $$ >> " + queue + "; awk 'END {print 4710 + NR}' " + queue);
        slurm.command("squeue", "touch " + queue + "; awk '{print 4710 + NR, \"RUNNING\", \"None\"}' " + queue);
        slurm.command("sleep", ":");
        slurm.command("sinfo", "echo gpu01");
        JobSpec spec = JobSpec.of("true {config_path}")
                .spec(Map.of("epochs", 3))
                .secrets(SECRETS)
                .build();
        assertThat(answer(SlurmSubmission.first(SlurmPlan.of(slurm.target(), spec, Sample.KEY))))
                .isEqualTo("4711");
        one = new JobHandle("dgx", "slurm", Sample.KEY, 1, "4711", slurm.base.toString(), "/r", Instant.EPOCH);
    }

    private String again() {
        return again(one);
    }

    private static String again(JobHandle job) {
        return SlurmSubmission.again(job, SECRETS, Set.of("gpu01"));
    }

    private String answer(String script) throws Exception {
        return SlurmSubmission.parse("dgx", Sample.KEY, slurm.shell(script)).id();
    }

    private long sent() throws IOException {
        return slurm.calls().lines().filter(call -> call.startsWith("sbatch ")).count();
    }

    /** The lines of the functions that send an attempt. */
    static List<Integer> lines() {
        JobHandle job = new JobHandle("dgx", "slurm", Sample.KEY, 1, "4711", "/tao", "/r", Instant.EPOCH);
        List<String> lines = again(job).lines().toList();
        List<Integer> found = new ArrayList<>();
        IntStream.range(0, lines.size())
                .filter(at -> FUNCTIONS.contains(lines.get(at)))
                .forEach(begin -> {
                    for (int at = begin + 1; !lines.get(at).equals("}"); at++) {
                        if (!lines.get(at).matches(" *(#.*|fi|done|exit 0|say .*|printf .*)")) {
                            found.add(at);
                        }
                    }
                });
        return found;
    }

    @ParameterizedTest
    @MethodSource("lines")
    @Promise("SL-26")
    void aScriptKilledBeforeAnyOfItsLinesIsTakenUp(int line) throws Exception {
        List<String> lines = new ArrayList<>(again().lines().toList());
        lines.add(line, "kill -9 $$");
        Path text = Files.writeString(slurm.base.resolve("killed"), String.join("\n", lines) + "\n");
        Process process = slurm.start("/bin/sh", text, Map.of(), slurm.base.resolve("o"), slurm.base.resolve("e"));
        assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();

        assertThat(answerInTheEnd()).isEqualTo("4712");
        assertThat(answer(again())).isEqualTo("4712");
        assertThat(sent()).isEqualTo(2);
    }

    /** A lock in which nobody could write its name yet is broken when it is old. */
    private String answerInTheEnd() throws Exception {
        try {
            return answer(again());
        } catch (Unreachable e) {
            assertThat(e).hasMessageContaining("in progress");
            Files.setLastModifiedTime(
                    slurm.base.resolve("submit/" + Sample.KEY + ".2.lock"),
                    FileTime.from(Instant.now().minus(Duration.ofMinutes(10))));
            return answer(again());
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "kill -9 $$",
                "echo 'sbatch: error: Batch job submission failed: Socket timed out on send/recv operation' >&2; exit 1"
            })
    void anSbatchWhoseAnswerIsLostIsLookedForByName(String end) throws Exception {
        slurm.command("sbatch", "echo $$ >> '" + slurm.base + "/queue'; " + end);

        assertThatThrownBy(() -> answer(again())).isInstanceOf(Unreachable.class);

        assertThat(answer(again())).isEqualTo("4712");
        assertThat(sent()).isEqualTo(2);
    }

    @Test
    void aControllerThatIsAwayTakesNoAttempt() throws Exception {
        slurm.command(
                "sbatch",
                "echo 'sbatch: error: Batch job submission failed: Unable to contact slurm controller (connect"
                        + " failure)' >&2; exit 1");
        assertThatThrownBy(() -> answer(again())).isInstanceOf(Unreachable.class);
        String queue = "'" + slurm.base + "/queue'";
        slurm.command("sbatch", "echo $$ >> " + queue + "; awk 'END {print 4710 + NR}' " + queue);

        assertThat(answer(again())).isEqualTo("4712");
    }
}
