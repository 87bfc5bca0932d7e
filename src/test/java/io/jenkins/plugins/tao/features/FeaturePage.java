package io.jenkins.plugins.tao.features;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * The build's last step: writes docs/features.md ({@code -Dfeatures=write}), fails when it is stale
 * ({@code -Dfeatures=check}), or only tells in a line. {@code -Dfeatures=declare} writes, without a run, the page that a
 * build makes in which all tests pass; the next check shows whether they do.
 */
public final class FeaturePage {
    private static final String REFRESH =
            "run ./mvnw test-compile exec:java@features -Dfeatures=declare, and commit it";

    private final Path root;
    private final String build;
    private final List<TestResult> declared;

    /** {@code declared} are all tests with promises, whether they run in this build or not. */
    FeaturePage(Path root, String build, List<TestResult> declared) {
        this.root = root;
        this.build = build;
        this.declared = List.copyOf(declared);
    }

    /**
     * Runs it.
     *
     * @param arguments the project's directory, the build's stamp, and {@code write}, {@code check}, {@code tell} or
     *     {@code declare}
     */
    public static void main(String[] arguments) throws IOException {
        List<TestResult> declared = DeclaredTests.in("io.jenkins.plugins.tao");
        String told = new FeaturePage(Path.of(arguments[0]), arguments[1], declared).run(arguments[2]);
        System.out.println("docs/features.md " + told);
    }

    /**
     * Does what {@code mode} says.
     *
     * @return what came of it, to be read after the file's name
     * @throws IllegalStateException in mode {@code check} when the page is stale, with each row that differs
     */
    String run(String mode) throws IOException {
        List<TestResult> results = mode.equals("declare") ? declared : results();
        Path page = root.resolve("docs/features.md");
        String now = new FeatureTable(list(), results).render();
        if (mode.equals("write") || mode.equals("declare")) {
            Files.createDirectories(page.getParent());
            Files.writeString(page, now);
            return "written.";
        }
        List<String> differences = FeatureTable.differences(Files.exists(page) ? Files.readString(page) : "", now);
        if (differences.isEmpty()) {
            return "is up to date.";
        }
        if (mode.equals("check")) {
            throw new IllegalStateException(
                    "docs/features.md is stale; " + REFRESH + ".\n" + String.join("\n", differences));
        }
        List<TestResult> here =
                results.stream().filter(result -> !result.needsJenkins()).toList();
        long skipped = here.stream().filter(result -> !result.passed()).count();
        return skipped > 0 || here.isEmpty()
                ? "is not compared: " + skipped + " tests with promises had no rig here."
                : "is stale; " + REFRESH + ".";
    }

    private PromiseList list() throws IOException {
        return PromiseList.parse(Files.readAllLines(root.resolve("src/test/resources/promises.tsv")));
    }

    /**
     * What the test processes of this build noted; what earlier builds left behind does not count. Tests that need a Jenkins
     * are taken from the class files: where there is none, no process notes them.
     */
    private List<TestResult> results() throws IOException {
        Path notes = root.resolve("target/promises");
        List<TestResult> results = new ArrayList<>(
                declared.stream().filter(TestResult::needsJenkins).toList());
        if (Files.isDirectory(notes)) {
            try (Stream<Path> files = Files.list(notes)) {
                for (Path file : files.sorted().toList()) {
                    List<String> lines = Files.readAllLines(file);
                    if (!lines.isEmpty() && lines.get(0).equals(build)) {
                        lines.stream()
                                .skip(1)
                                .map(TestResult::parse)
                                .filter(result -> !result.needsJenkins())
                                .forEach(results::add);
                    }
                }
            }
        }
        return results;
    }
}
