package io.jenkins.plugins.tao.bench;

import static org.assertj.core.api.Assertions.assertThat;

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

    private static Figure figure(String title, String seen) {
        return new Figure(title, "quick", true, "Measured.", Map.of("time", seen));
    }
}
