package io.jenkins.plugins.tao.cli.records;

import io.jenkins.plugins.tao.cli.terminal.Surroundings;
import io.jenkins.plugins.tao.cli.terminal.TableFormat;
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

    /** Prints the one of four forms that is asked for; only it is made. */
    public void print(
            Surroundings here,
            Supplier<String> text,
            Supplier<String> csv,
            Supplier<String> json,
            Supplier<String> markdown) {
        here.out()
                .print(
                        switch (format()) {
                            case TEXT -> text.get();
                            case CSV -> csv.get();
                            case JSON -> json.get();
                            case MARKDOWN -> markdown.get();
                        });
        here.out().flush();
    }
}
