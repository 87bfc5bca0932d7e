package io.jenkins.plugins.tao.cli.records;

import io.jenkins.plugins.tao.cli.terminal.Surroundings;
import io.jenkins.plugins.tao.cli.terminal.TableFormat;
import io.jenkins.plugins.tao.gate.Table;
import java.util.function.Supplier;
import picocli.CommandLine.Option;

/** Which folder of runs, and how a table of them is printed. */
public final class TableChoice extends RunsChoice {
    @Option(
            names = "--format",
            paramLabel = "FORM",
            defaultValue = "TEXT",
            description = "text, csv, json or markdown (default: text).")
    private TableFormat format = TableFormat.TEXT;

    @Option(names = "--json", description = "The same as --format json.")
    private boolean json;

    /** The form that is asked for. */
    public TableFormat format() {
        return json ? TableFormat.JSON : format;
    }

    /** Prints {@code table} in the one of four forms that is asked for, {@code text} for a terminal; only that is made. */
    public void print(Surroundings here, Table.Forms table, Supplier<String> text) {
        String chosen =
                switch (format()) {
                    case TEXT -> text.get();
                    case CSV -> table.csv();
                    case JSON -> table.json();
                    case MARKDOWN -> table.markdown();
                };
        here.out().print(chosen);
        here.out().flush();
    }
}
