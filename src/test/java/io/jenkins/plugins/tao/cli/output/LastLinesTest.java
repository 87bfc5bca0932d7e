package io.jenkins.plugins.tao.cli.output;

import static org.assertj.core.api.Assertions.assertThat;

import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.cli.Bench;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LastLinesTest {
    private static String last(int most, String... pieces) {
        LastLines lines = new LastLines(most);
        for (String piece : pieces) {
            lines.add(piece.getBytes(StandardCharsets.UTF_8));
        }
        return new String(lines.bytes(), StandardCharsets.UTF_8);
    }

    @ParameterizedTest
    @Promise("SL-79")
    @CsvSource({"0, 0, ''", "1, 1, 300", "200, 200, 101", "1000, 300, 1"})
    void anyNumberOfLastLinesCanBeAskedFor(int most, int given, String first) {
        StringBuilder text = new StringBuilder();
        for (int i = 1; i <= 300; i++) {
            text.append(i).append('\n');
        }

        String last = last(most, text.toString());

        assertThat(last.lines()).hasSize(given);
        assertThat(last.lines().findFirst().orElse("")).isEqualTo(first);
    }

    @Test
    void aLineThatComesInPiecesIsOneAndTheLastNeedsNoEnd() {
        assertThat(last(2, "a\nb", "b\nc", "c")).isEqualTo("bb\ncc");
        assertThat(last(5, "a\n\n", "")).isEqualTo("a\n\n");
    }

    @Test
    void ofAnEndlessLineTheNewestPartIsKept() {
        assertThat(last(1, "x".repeat(3 << 20), "end")).hasSize(1 << 20).endsWith("xend");
    }

    @Test
    @Promise("SL-79")
    void theCommandPrintsTheLastLinesOfALog(@TempDir Path directory) {
        Bench bench = new Bench(directory);
        bench.write("job.yaml", "target: fake\ncommand: \"exit 0\"\n");
        bench.tao("submit", "job.yaml", "--id", "one");

        assertThat(bench.tao("logs", "one", "--tail", "1")).isEqualTo(0);
        assertThat(bench.out()).isEqualTo("hello from exit 0\n");
        assertThat(bench.tao("logs", "one", "--tail", "0")).isEqualTo(0);
        assertThat(bench.out()).isEmpty();
        assertThat(bench.tao("logs", "one", "--tail", "-1")).isEqualTo(2);
        assertThat(bench.tao("logs", "one", "--tail", "1", "--follow")).isEqualTo(2);
    }
}
