package io.jenkins.plugins.tao.features;

import static io.jenkins.plugins.tao.job.Require.require;

import io.jenkins.plugins.tao.features.PromiseList.Group;
import io.jenkins.plugins.tao.features.PromiseList.Row;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Lays the tests beside the promises and renders both as Markdown. Pure. */
final class FeatureTable {
    private static final int TESTS_SHOWN = 3;
    private static final String IN_JENKINS_ONLY = "partly: shown by tests that need a real Jenkins only";
    private static final String HEAD = """
            # What is promised, and what is proved

            Made by the build from the tests and the list in `src/test/resources/promises.tsv`; do not edit it, run
            `./mvnw test-compile exec:java@features -Dfeatures=declare`. The whole build checks it against the tests that ran. A promise is *proved* only by tests that ran and passed, *partly*
            kept where a note says what is lacking, *missing* otherwise. A test marked † needs a real Jenkins; alone it proves nothing.
            """;

    private final PromiseList list;
    private final Map<String, List<TestResult>> testsById = new TreeMap<>();

    /**
     * @throws IllegalArgumentException if a test carries an id that is not in the list
     */
    FeatureTable(PromiseList list, List<TestResult> results) {
        this.list = list;
        Set<String> known = list.ids();
        for (TestResult result : results) {
            for (String id : result.promises()) {
                require(known.contains(id), "%s carries the promise %s, which promises.tsv lacks", result.test(), id);
                testsById.computeIfAbsent(id, unused -> new ArrayList<>()).add(result);
            }
        }
    }

    /** The whole page. */
    String render() {
        StringBuilder page = new StringBuilder(HEAD);
        page.append("\n| group | promises | proved | partly | missing |\n|---|---|---|---|---|\n");
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
        return "| " + group.name() + " | " + group.rows().size() + " | " + states.getOrDefault("proved", 0L) + " | "
                + states.getOrDefault("partly", 0L) + " | " + states.getOrDefault("missing", 0L) + " |\n";
    }

    private String line(Group group, Row row) {
        return "| " + String.join(" | ", row.id(), row.promise(), tests(row), state(group, row)) + " |\n";
    }

    /** Those that passed, and those that need a Jenkins whether one was here or not: the page must not depend on that. */
    private List<TestResult> shown(Row row) {
        return testsById.getOrDefault(row.id(), List.of()).stream()
                .filter(result -> result.passed() || result.needsJenkins())
                .sorted(Comparator.comparing(TestResult::needsJenkins).thenComparing(TestResult::test))
                .toList();
    }

    private String tests(Row row) {
        List<TestResult> tests = shown(row);
        String first = tests.stream()
                .limit(TESTS_SHOWN)
                .map(test -> "`" + test.test() + (test.needsJenkins() ? "` †" : "`"))
                .collect(Collectors.joining(", "));
        return tests.size() <= TESTS_SHOWN ? first : first + " and " + (tests.size() - TESTS_SHOWN) + " more";
    }

    private String state(Group group, Row row) {
        List<TestResult> tests = shown(row);
        boolean shownHere = tests.stream().anyMatch(test -> !test.needsJenkins());
        require(
                !shownHere || !row.note().startsWith("missing"),
                "promises.tsv calls %s missing, and %s shows it: drop the note or make it 'partly: …'",
                row.id(),
                tests.isEmpty() ? "" : tests.get(0).test());
        if (shownHere) {
            return row.note().isEmpty() ? "proved" : row.note();
        }
        if (!tests.isEmpty()) {
            return row.note().startsWith("partly") ? row.note() : IN_JENKINS_ONLY;
        }
        return row.note().startsWith("missing") ? row.note() : "missing: " + group.missing();
    }

    /** The lines that only one of both pages has, {@code -} for the first and {@code +} for the second. */
    static List<String> differences(String before, String after) {
        Set<String> old = before.lines().collect(Collectors.toCollection(TreeSet::new));
        Set<String> now = after.lines().collect(Collectors.toCollection(TreeSet::new));
        List<String> lines = new ArrayList<>();
        old.stream().filter(line -> !now.contains(line)).forEach(line -> lines.add("- " + line));
        now.stream().filter(line -> !old.contains(line)).forEach(line -> lines.add("+ " + line));
        lines.sort(Comparator.comparing(line -> line.substring(2)));
        return lines;
    }
}
