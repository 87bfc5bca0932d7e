package io.jenkins.plugins.tao.features;

import static io.jenkins.plugins.tao.job.Require.require;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * What is promised: groups of rows, as promises.tsv has them. A line {@code #}, the group's name and why its promises are
 * missing by default opens a group; the others are id, promise and, where it needs one, a note. Cells end with tabs.
 */
record PromiseList(List<Group> groups) {
    private static final Pattern ID = Pattern.compile("[A-Z]{2}-\\d{2,}");

    /**
     * Promises that belong together.
     *
     * @param missing why one of them is missing when its own note does not tell
     */
    record Group(String name, String missing, List<Row> rows) {}

    /**
     * One promise.
     *
     * @param note {@code partly: why}, {@code missing: why} or empty
     */
    record Row(String id, String promise, String note) {
        Row {
            require(ID.matcher(id).matches(), "'%s' is no id such as SL-01", id);
            require(!promise.isBlank() && promise.indexOf('|') < 0, "%s needs a promise without '|'", id);
            require(
                    note.isEmpty() || note.matches("(partly|missing): \\S.*"),
                    "%s has a note '%s'; begin it with " + "'partly: ' or 'missing: '",
                    id,
                    note);
        }
    }

    static PromiseList parse(List<String> lines) {
        List<Group> groups = new ArrayList<>();
        Set<String> ids = new HashSet<>();
        for (String line : lines) {
            String[] cells = line.split("\t", -1);
            if (cells[0].equals("#")) {
                groups.add(new Group(cells[1], cells[2], new ArrayList<>()));
            } else if (!line.isBlank()) {
                require(cells.length == 2 || cells.length == 3, "'%s' is not id, promise and note", line);
                require(ids.add(cells[0]), "%s stands twice in the list", cells[0]);
                groups.get(groups.size() - 1)
                        .rows()
                        .add(new Row(cells[0], cells[1], cells.length == 3 ? cells[2] : ""));
            }
        }
        return new PromiseList(groups);
    }

    /** All ids. */
    Set<String> ids() {
        Set<String> ids = new HashSet<>();
        groups.forEach(group -> group.rows().forEach(row -> ids.add(row.id())));
        return ids;
    }
}
