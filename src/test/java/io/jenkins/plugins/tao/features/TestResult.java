package io.jenkins.plugins.tao.features;

import java.util.List;
import java.util.TreeSet;

/**
 * How one test method ended, all its parameters and repetitions together.
 *
 * @param test {@code SlurmScriptTest.aSecretIsNotInTheScript}
 * @param promises the ids it carries, sorted
 * @param needsJenkins whether it runs only where a real Jenkins is
 */
record TestResult(String test, List<String> promises, End end, boolean needsJenkins) {
    /** From best to worst, so that the worst of several counts. */
    enum End {
        PASSED,
        SKIPPED,
        FAILED
    }

    TestResult {
        promises = List.copyOf(new TreeSet<>(promises));
    }

    boolean passed() {
        return end == End.PASSED;
    }

    /** The same with the worse of both ends. */
    TestResult and(End other) {
        return new TestResult(test, promises, end.compareTo(other) >= 0 ? end : other, needsJenkins);
    }

    /** One line that {@link #parse} reads. */
    String render() {
        return String.join("\t", test, String.join(",", promises), end.name(), needsJenkins ? "jenkins" : "");
    }

    static TestResult parse(String line) {
        String[] cells = line.split("\t", -1);
        return new TestResult(cells[0], List.of(cells[1].split(",")), End.valueOf(cells[2]), !cells[3].isEmpty());
    }
}
