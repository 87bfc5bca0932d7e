package io.jenkins.plugins.tao.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.jenkins.plugins.tao.Promise;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class BenchmarkPageTest {
    @Test
    void aFigureTakesThePlaceOfItsFormerOneAndTheOthersStay() {
        String first = BenchmarkPage.with("", "# Benchmarks\n\nold\n\n", List.of(figure("A", "1"), figure("B", "2")));

        String second =
                BenchmarkPage.with(first, "# Benchmarks\n\nnew\n\n", List.of(figure("C", "4"), figure("A", "3")));

        assertThat(second)
                .startsWith("# Benchmarks\n\nnew\n\n## A\n")
                .containsSubsequence("## A", "| time | 3 |", "## B", "| time | 2 |", "## C", "| time | 4 |")
                .doesNotContain("old", "| time | 1 |")
                .endsWith(" |\n");
    }

    /** Times are measured by the benchmark alone; this holds the page to what it has measured last. */
    @Test
    @Promise("TR-65")
    void theLastMeasuredRunOfTrueKeptToItsTarget() throws IOException {
        String page = Files.readString(Path.of("docs/benchmarks.md"));

        String section = page.substring(page.indexOf("## A job of `true` from start to end"));

        assertThat(section.lines().filter(line -> line.startsWith("Target: ")).findFirst())
                .hasValueSatisfying(target -> assertThat(target)
                        .contains("1.3 times `ssh sbatch --wait`")
                        .endsWith("**met**."));
    }

    @Test
    @Promise("NS-26")
    void theLastMeasuredSweepHadTheThreadsOfASmallOneAndItsArrayWasQuick() throws IOException {
        String page = Files.readString(Path.of("docs/benchmarks.md"));
        String section = page.substring(page.indexOf("## A sweep of 500 cells"));

        double few = number(section, "most threads of `tao wait` for 20 cells");
        assertThat(number(section, "most threads of `tao wait` for 500 cells")).isBetween(1.0, few + 2);
        assertThat(number(section, "ratio of the array")).isBetween(0.01, 1.5);
    }

    private static double number(String section, String measure) {
        String start = "| " + measure + " |";
        return section.lines()
                .filter(line -> line.startsWith(start))
                .mapToDouble(line -> Double.parseDouble(
                        line.substring(start.length()).replace("|", "").strip()))
                .findFirst()
                .orElseThrow();
    }

    private static Figure figure(String title, String seen) {
        return new Figure(title, "quick", true, "Measured.", Map.of("time", seen));
    }
}
