package io.jenkins.plugins.tao.features;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * The build's last step: writes docs/features.md ({@code -Dfeatures=write}), fails when it is stale
 * ({@code -Dfeatures=check}), or only tells in a line.
 */
public final class FeaturePage {
    private static final String REFRESH = "run ./mvnw verify -Dfeatures=write where the rigs are up, and commit it";

    private final Path root;
    private final String build;

    FeaturePage(Path root, String build) {
        this.root = root;
        this.build = build;
    }

    /**
     * Runs it.
     *
     * @param arguments the project's directory, the build's stamp, and {@code write}, {@code check} or {@code tell}
     */
    public static void main(String[] arguments) throws IOException {
        String told = new FeaturePage(Path.of(arguments[0]), arguments[1]).run(arguments[2]);
        System.out.println("docs/features.md " + told);
    }

    /**
     * Does what {@code mode} says.
     *
     * @return what came of it, to be read after the file's name
     * @throws IllegalStateException in mode {@code check} when the page is stale, with each row that differs
     */
    String run(String mode) throws IOException {
        List<TestResult> results = results();
        Path page = root.resolve("docs/features.md");
        String now = new FeatureTable(list(), results).render();
        if (mode.equals("write")) {
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
        long skipped = results.stream()
                .filter(result -> !result.passed() && !result.needsJenkins())
                .count();
        return skipped > 0 || results.isEmpty()
                ? "is not compared: " + skipped + " tests with promises had no rig here."
                : "is stale; " + REFRESH + ".";
    }

    private PromiseList list() throws IOException {
        return PromiseList.parse(Files.readAllLines(root.resolve("src/test/resources/promises.tsv")));
    }

    /** What the test processes of this build noted; what earlier builds left behind does not count. */
    private List<TestResult> results() throws IOException {
        Path notes = root.resolve("target/promises");
        List<TestResult> results = new ArrayList<>();
        if (Files.isDirectory(notes)) {
            try (Stream<Path> files = Files.list(notes)) {
                for (Path file : files.sorted().toList()) {
                    List<String> lines = Files.readAllLines(file);
                    if (!lines.isEmpty() && lines.get(0).equals(build)) {
                        lines.stream().skip(1).map(TestResult::parse).forEach(results::add);
                    }
                }
            }
        }
        return results;
    }
}
