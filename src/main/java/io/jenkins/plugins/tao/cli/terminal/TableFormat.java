package io.jenkins.plugins.tao.cli.terminal;

import java.util.function.Supplier;

/** How a table is printed. */
public enum TableFormat {
    TEXT,
    CSV,
    JSON,
    MARKDOWN;

    /** The one of four forms that this is; only it is made. */
    public String of(Supplier<String> text, Supplier<String> csv, Supplier<String> json, Supplier<String> markdown) {
        return switch (this) {
            case TEXT -> text.get();
            case CSV -> csv.get();
            case JSON -> json.get();
            case MARKDOWN -> markdown.get();
        };
    }
}
