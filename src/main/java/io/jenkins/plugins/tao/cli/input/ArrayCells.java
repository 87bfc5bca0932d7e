package io.jenkins.plugins.tao.cli.input;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.jenkins.plugins.tao.journal.DurableFile;
import io.jenkins.plugins.tao.record.RunRecord;
import io.jenkins.plugins.tao.sweep.ArrayEnds;
import io.jenkins.plugins.tao.sweep.Best;
import io.jenkins.plugins.tao.sweep.Cell;
import io.jenkins.plugins.tao.sweep.CellEnd;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Which cell each member of a job is, kept in the folder of its run.
 *
 * @param best how the best cell is chosen; blank for not at all
 * @param cells the values of each, by the index of the member
 */
public record ArrayCells(String best, List<Map<String, String>> cells) {
    private static final String FILE = "cells.json";
    private static final JsonMapper JSON = new JsonMapper();

    public ArrayCells {
        cells = List.copyOf(cells);
    }

    /** Of a job that has none. */
    public static ArrayCells none() {
        return new ArrayCells("", List.of());
    }

    public static ArrayCells of(ArraySweep sweep) {
        return new ArrayCells(
                sweep.sweep()
                        .terms()
                        .best()
                        .map(rule -> (rule.highest() ? "max " : "min ") + rule.metric())
                        .orElse(""),
                sweep.cells().stream().map(Cell::values).toList());
    }

    public Optional<Best> rule() {
        return best.isBlank() ? Optional.empty() : Optional.of(Best.parse(best));
    }

    public void keep(Path folder) throws IOException {
        if (!cells.isEmpty()) {
            DurableFile.write(folder.resolve(FILE), JSON.writeValueAsString(this) + "\n");
        }
    }

    /**
     * Those that were kept in the folder of a run; none where none were.
     *
     * @throws IOException if what was kept cannot be read
     */
    public static ArrayCells kept(Path folder) throws IOException {
        Path file = folder.resolve(FILE);
        try {
            return Files.isRegularFile(file) ? JSON.readValue(Files.readString(file), ArrayCells.class) : none();
        } catch (JsonProcessingException e) {
            throw new IOException(file + " is damaged: " + e.getOriginalMessage(), e);
        }
    }

    /** How the cells ended, as far as the record of the whole tells. */
    public List<CellEnd> ends(RunRecord record) {
        return ArrayEnds.of(cells.stream().map(Cell::new).toList(), record);
    }
}
