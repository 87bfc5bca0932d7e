package io.jenkins.plugins.tao.reference;

/**
 * One row of a reference page.
 *
 * @param name as a job file, a form and a Pipeline call it
 * @param where which of them know it
 * @param form what is written
 * @param unit of a number or a size; a dash without one
 * @param fallback what holds when nothing is written; a dash for what the target, the backend or nobody adds
 * @param since the first version that has it
 * @param meaning what it is for
 */
record Parameter(String name, String where, String form, String unit, String fallback, String since, String meaning) {
    static final String HEAD = """
            | name | where | form | unit | default | since | meaning |
            |---|---|---|---|---|---|---|
            """;

    /** The row as Markdown. */
    String row() {
        return "| `" + name + "` | " + where + " | " + form + " | " + unit + " | " + fallback + " | " + since + " | "
                + meaning.replace("|", "\\|") + " |\n";
    }
}
