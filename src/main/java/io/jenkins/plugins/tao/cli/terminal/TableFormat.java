package io.jenkins.plugins.tao.cli.terminal;

/** How a table is printed. */
public enum TableFormat {
    TEXT,
    CSV,
    JSON,
    MARKDOWN
}
