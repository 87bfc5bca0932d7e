package io.jenkins.plugins.tao.sweep;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jenkins.plugins.tao.Promise;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class MatrixTest {
    private static Matrix matrix(List<String> rates, String seeds) {
        Map<String, List<String>> axes = new LinkedHashMap<>();
        axes.put("train.lr", rates);
        axes.put("train.seed", List.of(seeds));
        return new Matrix(axes);
    }

    @Test
    @Promise("NS-07")
    void aMatrixOfAListAndARangeHasEveryCombination() {
        assertThat(matrix(List.of("1e-3", "1e-4"), "0..2").cells())
                .extracting(Cell::label)
                .containsExactly(
                        "train.lr=1e-3, train.seed=0",
                        "train.lr=1e-3, train.seed=1",
                        "train.lr=1e-3, train.seed=2",
                        "train.lr=1e-4, train.seed=0",
                        "train.lr=1e-4, train.seed=1",
                        "train.lr=1e-4, train.seed=2");
    }

    @Test
    @Promise("NS-07")
    void aCellKeepsItsIdWhenTheMatrixGrowsOrItsAxesChangePlaces() {
        List<String> before =
                matrix(List.of("1e-4"), "1..2").cells().stream().map(Cell::id).toList();
        Map<String, List<String>> turned = new LinkedHashMap<>();
        turned.put("train.seed", List.of("0..3"));
        turned.put("train.lr", List.of("1e-3", "1e-4"));

        List<String> after = new Matrix(turned).cells().stream().map(Cell::id).toList();

        assertThat(after).hasSize(8).doesNotHaveDuplicates().containsAll(before);
    }

    @Test
    @Promise("NS-07")
    void aMatrixOfAMillionCellsIsRefused() {
        assertThatThrownBy(() -> matrix(List.of("1e-3", "1e-4"), "0..499999"))
                .hasMessage("the axis 'train.seed' has 500000 values, and a sweep has at most 1000 cells");
        assertThatThrownBy(() -> matrix(List.of("1e-3", "1e-4"), "0..500"))
                .hasMessage("the matrix has more than 1000 cells; take values or axes away");
        assertThat(matrix(List.of("1e-3", "1e-4"), "0..499").cells()).hasSize(1000);
    }

    @Test
    void anAxisWithoutValuesOrWithOneTwiceOrBackwardsIsRefused() {
        assertThatThrownBy(() -> matrix(List.of(), "0..1"))
                .hasMessageContaining("'train.lr' of the matrix has no values");
        assertThatThrownBy(() -> matrix(List.of("1", "1"), "0..1")).hasMessageContaining("names a value twice");
        assertThatThrownBy(() -> matrix(List.of("1"), "3..1")).hasMessageContaining("3..1");
        for (String nearly : List.of("0..1 step 2", "0.1..0.5", "0 .. 4", "1...4", "0..4..2")) {
            assertThatThrownBy(() -> matrix(List.of("1"), nearly)).hasMessageContaining("a range is of whole numbers");
        }
        assertThat(matrix(List.of("1"), "../data").cells()).hasSize(1);
        assertThat(matrix(List.of("1"), "v1..main").cells()).hasSize(1);
        assertThatThrownBy(() -> new Matrix(Map.of())).hasMessageContaining("no axes");
    }
}
