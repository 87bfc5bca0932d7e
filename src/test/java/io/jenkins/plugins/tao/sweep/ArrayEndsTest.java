package io.jenkins.plugins.tao.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.record.RecordMaker;
import io.jenkins.plugins.tao.record.RunFiles;
import io.jenkins.plugins.tao.record.RunRecord;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** How the cells of a sweep ended whose members one array is. */
class ArrayEndsTest {
    private static final List<Cell> CELLS = IntStream.range(0, 6)
            .mapToObj(seed -> new Cell(Map.of("train.seed", "" + seed)))
            .toList();

    private static List<CellEnd> ends(String detail) {
        RunRecord record = RecordMaker.make(new RunFiles(
                        "{\"id\":\"study\",\"backend\":\"slurm\",\"nativeId\":\"4711_[0-5]\"}",
                        "",
                        List.of("{\"event\":\"ended\",\"outcome\":\"failed\",\"detail\":\"" + detail + "\"}"),
                        Map.of(),
                        Map.of(),
                        0,
                        Optional.empty()))
                .orElseThrow()
                .record();
        return ArrayEnds.of(CELLS, record);
    }

    @Test
    @Promise("NS-08")
    void fourGoodCellsHaveSucceededBesideTwoBadOnes() {
        List<CellEnd> ends = ends("The command ended with exit code 3. 2 of 6 members failed: 1 (exit code 3), 4"
                + " (NODE_FAIL on gpu02).");

        assertThat(ends)
                .extracting(CellEnd::outcome)
                .containsExactly("succeeded", "failed", "succeeded", "succeeded", "failed", "succeeded");
        assertThat(ends.get(4).note()).isEqualTo("NODE_FAIL on gpu02");
    }

    @Test
    @Promise("NS-08")
    void aCellWithoutAnExitRecordIsNotKnown() {
        assertThat(ends("2 of 6 members failed: 1 (exit code 3), 4 (exit code 3); 1 left no exit record."))
                .extracting(CellEnd::outcome)
                .containsExactly("not known", "failed", "not known", "not known", "failed", "not known");
    }
}
