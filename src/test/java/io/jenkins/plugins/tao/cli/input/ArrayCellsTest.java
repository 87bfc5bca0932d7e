package io.jenkins.plugins.tao.cli.input;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import io.jenkins.plugins.tao.Promise;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which cells the members of an array are, as it lies in the folder of a run. */
class ArrayCellsTest {
    @TempDir
    Path folder;

    @Test
    @Promise("NS-08")
    void whatIsKeptIsReadAndARunWithoutCellsHasNone() throws IOException {
        ArrayCells cells = new ArrayCells("max val_mAP", List.of(Map.of("env.SEED", "1"), Map.of("env.SEED", "2")));

        assertThat(ArrayCells.kept(folder)).isEqualTo(ArrayCells.none());
        cells.keep(folder);

        assertThat(ArrayCells.kept(folder)).isEqualTo(cells);
    }

    @Test
    @Promise("NS-08")
    void aDamagedFileIsNoRunWithoutCells() throws IOException {
        Files.writeString(folder.resolve("cells.json"), "{\"best\": \"max");

        assertThatIOException()
                .isThrownBy(() -> ArrayCells.kept(folder))
                .withMessageContaining("cells.json is damaged");
    }
}
