package io.jenkins.plugins.tao.cli;

/** How a table is printed. */
enum TableFormat {
    TEXT,
    CSV,
    JSON,
    MARKDOWN
}
