package io.jenkins.plugins.tao.cli.output;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.backend.BackendTypes;
import io.jenkins.plugins.tao.cli.Bench;
import io.jenkins.plugins.tao.cli.terminal.UsageException;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.JobKey;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which lines {@code tao logs} shows. */
class LogFilterTest {
    private static final Instant NOW = Instant.parse("2026-11-23T04:30:00Z");

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    Path directory;

    private final LogChoice choice = new LogChoice();

    private LogFilter filter(String backend) throws UsageException {
        return choice.filter(new JobHandle("t", backend, new JobKey("k"), 1, "1", "/j", "/r", Instant.EPOCH), NOW);
    }

    private List<String> shown(String backend, String... lines) throws UsageException {
        LogFilter filter = filter(backend);
        return List.of(lines).stream().filter(filter::shows).toList();
    }

    @Test
    @Promise("NS-23")
    void theLinesOfOneRankAreShownWithTheUnmarkedOnesBehindThem() throws Exception {
        choice.rank = Optional.of(1);

        assertThat(shown("kubernetes", "[0] a", "[1] b", "Traceback", "[1] c", "[0] d"))
                .containsExactly("[1] b", "Traceback", "[1] c");
        assertThat(shown("slurm", "[rank1]:[E1123] NCCL", "[rank0]: x")).containsExactly("[rank1]:[E1123] NCCL");
        assertThat(shown("slurm", "[0] a", "[1] b", "[rank1]: c", "tao: of the frame", "[0] d"))
                .containsExactly("[1] b", "[rank1]: c", "tao: of the frame");
        assertThat(shown("ssh", "[default0]:a", "[default1]:b")).containsExactly("[default1]:b");
        assertThat(shown("lepton", "zero", "[worker 1] one", "zero")).containsExactly("[worker 1] one");
        choice.rank = Optional.of(0);
        assertThat(shown("lepton", "zero", "[worker 1] one", "[2026] zero", "zero"))
                .doesNotContain("[worker 1] one")
                .contains("zero");
    }

    @Test
    @Promise("NS-23")
    void linesFromATimeOnAreShownWithWhatFollowsThem() throws Exception {
        choice.since = Optional.of("10m");

        assertThat(shown(
                        "slurm",
                        "no time yet",
                        "2026-11-23 04:19:59,123 [INFO] old",
                        "of the old one",
                        "2026-11-23T05:25:00+0100 new",
                        "of the new one",
                        "[2026-11-23 04:29:00] newest"))
                .containsExactly("2026-11-23T05:25:00+0100 new", "of the new one", "[2026-11-23 04:29:00] newest");
        choice.since = Optional.of("2026-11-23 04:29");
        assertThat(shown("slurm", "2026-11-23 04:28:59 a", "2026-11-23 04:29:00 b"))
                .containsExactly("2026-11-23 04:29:00 b");
    }

    @Test
    @Promise("NS-23")
    void whatALogDoesNotTellIsSaid() throws Exception {
        choice.rank = Optional.of(3);
        LogFilter ranks = filter("slurm");
        assertThat(ranks.shows("epoch 1")).isFalse();
        assertThat(ranks.lacking().orElseThrow()).contains("no line of this log says its rank");

        choice.rank = Optional.empty();
        choice.since = Optional.of("1h");
        LogFilter times = filter("slurm");
        assertThat(times.shows("epoch 1")).isFalse();
        assertThat(times.lacking().orElseThrow()).contains("no line of this log says its time");
    }

    @ParameterizedTest
    @ValueSource(strings = {"yesterday", "2026-13-01", ""})
    void aTimeThatIsNoneIsRefused(String text) {
        choice.since = Optional.of(text);

        assertThatThrownBy(() -> filter("slurm")).hasMessageContaining("--since takes");
    }

    @Test
    void anEndlessLineIsGivenOutInPieces() throws Exception {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        FilteredLines lines = new FilteredLines(filter("slurm"), out::writeBytes);
        for (int i = 0; i < 40; i++) {
            lines.add("x".repeat(1 << 16).getBytes(StandardCharsets.UTF_8));
        }

        assertThat(out.size()).isGreaterThan(1 << 20);
    }

    @Test
    @Promise("NS-23")
    void tailAndSearchWorkTogetherOnARealJob() throws Exception {
        Bench bench = new Bench(directory, BackendTypes.load());
        bench.write("tao-targets.yaml", "targets: {here: {backend: local, baseDirectory: " + directory + "/tao}}\n");
        bench.write(
                "job.yaml",
                "target: here\ngpus: 0\ncommand: for i in 1 2 3 4 5 6; do echo \"[$((i % 2))] loss $i\"; done; echo end\n");
        assertThat(bench.tao("run", "job.yaml", "--interval", "1s", "--no-log")).isZero();
        assertThat(bench.tao("logs", "--rank", "1", "--grep", "loss [0-9]", "--tail", "2"))
                .isZero();

        assertThat(bench.out()).isEqualTo("[1] loss 3\n[1] loss 5\n");
        assertThat(bench.tao("logs", "--grep", "[")).isNotZero();
    }
}
