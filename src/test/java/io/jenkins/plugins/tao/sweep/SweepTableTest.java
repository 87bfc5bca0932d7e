package io.jenkins.plugins.tao.sweep;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.jenkins.plugins.tao.Promise;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class SweepTableTest {
    private static CellEnd end(String rate, String seed, String outcome, Map<String, Double> kpis) {
        Map<String, String> values = new LinkedHashMap<>();
        values.put("lr", rate);
        values.put("seed", seed);
        return new CellEnd(new Cell(values), outcome, kpis, "dgx/1" + seed);
    }

    private static final List<CellEnd> CELLS = List.of(
            end("0.001", "0", "succeeded", Map.of("acc", 0.5)),
            end("0.001", "1", "succeeded", Map.of("acc", 0.75)),
            end("0.0001", "0", "failed", Map.of("acc", 0.99)),
            end("0.0001", "1", "succeeded", Map.of()),
            end("0.0001", "2", "succeeded", Map.of("acc", Double.NaN)));

    @Test
    @Promise("NS-09")
    void theTableHasEachCellWithItsMetricsAndMarksTheBest() {
        List<String> lines = SweepTable.lines(CELLS, Optional.of(Best.parse("max acc")));

        assertThat(lines)
                .containsExactly(
                        "cell       lr      seed  outcome    acc       job",
                        id(0) + "   0.001   0     succeeded  0.500000  dgx/10",
                        id(1) + "*  0.001   1     succeeded  0.750000  dgx/11",
                        id(2) + "   0.0001  0     failed     0.990000  dgx/10",
                        id(3) + "   0.0001  1     succeeded  -         dgx/11",
                        id(4) + "   0.0001  2     succeeded  NaN       dgx/12");
    }

    @Test
    @Promise("NS-09")
    void theBestIsOneThatSucceededAndToldTheMetric() {
        assertThat(Best.parse("max acc").of(CELLS)).contains(CELLS.get(1));
        assertThat(Best.parse("min acc").of(CELLS)).contains(CELLS.get(0));
        assertThat(Best.parse("max mAP").of(CELLS)).isEmpty();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Best.parse("acc"))
                .withMessage("best must be 'max METRIC' or 'min METRIC', was 'acc'");
    }

    private static String id(int number) {
        return CELLS.get(number).cell().id();
    }
}
