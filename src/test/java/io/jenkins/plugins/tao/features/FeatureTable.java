package io.jenkins.plugins.tao.features;

import static io.jenkins.plugins.tao.job.Require.require;

import io.jenkins.plugins.tao.features.PromiseList.Group;
import io.jenkins.plugins.tao.features.PromiseList.Row;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Lays the tests beside the promises and renders both as Markdown. Pure. */
final class FeatureTable {
    private static final int TESTS_SHOWN = 3;
    private static final String HEAD = """
            # What is promised, and what is proved

            Made by this build from its tests and the list in `src/test/resources/promises.tsv`. A promise is *proved* by a test
            that ran in this build and passed, *partly* kept where a note says what is lacking. Where its tests need a rig or a
            Jenkins that this build did not have, it is *not run*; without tests it is *missing*.

            | group | promises | proved | partly | not run | missing |
            |---|---|---|---|---|---|
            """;

    private final PromiseList list;
    private final Set<String> passed;
    private final Map<String, Set<String>> testsById = new TreeMap<>();

    /**
     * @param declared the ids that each test carries, by the test's name
     * @param passed the names of the tests that passed
     * @throws IllegalArgumentException if a test carries an id that is not in the list
     */
    FeatureTable(PromiseList list, Map<String, Set<String>> declared, Set<String> passed) {
        this.list = list;
        this.passed = passed;
        Set<String> known = list.ids();
        declared.forEach((test, ids) -> ids.forEach(id -> {
            require(known.contains(id), "%s carries the promise %s, which promises.tsv lacks", test, id);
            testsById.computeIfAbsent(id, unused -> new TreeSet<>()).add(test);
        }));
    }

    /** The whole page. */
    String render() {
        StringBuilder page = new StringBuilder(HEAD);
        list.groups().forEach(group -> page.append(counts(group)));
        for (Group group : list.groups()) {
            page.append("\n## ").append(group.name()).append("\n\n");
            page.append("| id | promise | tests | state |\n|---|---|---|---|\n");
            group.rows().forEach(row -> page.append(line(group, row)));
        }
        return page.toString();
    }

    private String counts(Group group) {
        Map<String, Long> states = group.rows().stream()
                .map(row -> state(group, row).split(":", 2)[0])
                .collect(Collectors.groupingBy(word -> word, Collectors.counting()));
        StringBuilder line =
                new StringBuilder("| " + group.name() + " | " + group.rows().size() + " |");
        List.of("proved", "partly", "not run", "missing")
                .forEach(word ->
                        line.append(" ").append(states.getOrDefault(word, 0L)).append(" |"));
        return line.append("\n").toString();
    }

    private String line(Group group, Row row) {
        List<String> tests = passed(row);
        String first =
                tests.stream().limit(TESTS_SHOWN).map(test -> "`" + test + "`").collect(Collectors.joining(", "));
        String more = tests.size() <= TESTS_SHOWN ? "" : " and " + (tests.size() - TESTS_SHOWN) + " more";
        return "| " + String.join(" | ", row.id(), row.promise(), first + more, state(group, row)) + " |\n";
    }

    private Set<String> tests(Row row) {
        return testsById.getOrDefault(row.id(), Set.of());
    }

    private List<String> passed(Row row) {
        return tests(row).stream().filter(passed::contains).toList();
    }

    private String state(Group group, Row row) {
        if (!passed(row).isEmpty()) {
            return row.note().isEmpty() ? "proved" : row.note();
        }
        if (!tests(row).isEmpty()) {
            return "not run";
        }
        return row.note().startsWith("missing") ? row.note() : "missing: " + group.missing();
    }
}
