package io.jenkins.plugins.tao.features;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** The build's last step: writes target/features.md, which lays the tests of this build beside the promises. */
public final class FeaturePage {
    private FeaturePage() {}

    /**
     * Runs it.
     *
     * @param arguments the project's directory and the build's stamp
     * @throws IllegalArgumentException if a test carries an id that promises.tsv lacks
     */
    public static void main(String[] arguments) throws IOException {
        Path root = Path.of(arguments[0]);
        Path page = root.resolve("target/features.md");
        Files.writeString(
                page,
                new FeatureTable(
                                list(root),
                                DeclaredTests.in("io.jenkins.plugins.tao"),
                                passed(root.resolve("target/promises"), arguments[1]))
                        .render());
        System.out.println("The promises and the tests of this build that show them: " + page);
    }

    static PromiseList list(Path root) throws IOException {
        return PromiseList.parse(Files.readAllLines(root.resolve("src/test/resources/promises.tsv")));
    }

    /** What the test processes of {@code build} noted in {@code notes}; what earlier builds left there does not count. */
    static Set<String> passed(Path notes, String build) throws IOException {
        Set<String> passed = new HashSet<>();
        if (Files.isDirectory(notes)) {
            try (Stream<Path> files = Files.list(notes)) {
                for (Path file : files.toList()) {
                    List<String> lines = Files.readAllLines(file);
                    if (!lines.isEmpty() && lines.get(0).equals(build)) {
                        passed.addAll(lines.subList(1, lines.size()));
                    }
                }
            }
        }
        return passed;
    }
}
