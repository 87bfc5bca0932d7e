package io.jenkins.plugins.tao;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.CompositeArchRule;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The packages inside the large packages, as a test: each may use those below it alone. {@link ArchitectureTest} looks at the rules. */
class LayersTest {
    private static final String ROOT = "io.jenkins.plugins.tao.";
    private static final Path MAIN = Path.of("src/main/java/io/jenkins/plugins/tao");

    /** A row of docs/ARCHITECTURE.md below "Inside the large packages". */
    private static final Pattern ROW = Pattern.compile("\\| `([a-z.]+)` \\| ((?:(?:`[a-z]+`|itself)(?:, )?)+) \\|");

    private static final Map<String, List<String>> ALL = new TreeMap<>();

    @ArchTest
    static final ArchRule cli = lowestFirst("cli", "terminal", "output", "records", "input", "jobs", "sweep", "verbs");

    @ArchTest
    static final ArchRule kubernetes = lowestFirst(
            "backend.kubernetes", "options", "view", "access", "request", "checks", "api", "status", "fetch");

    @ArchTest
    static final ArchRule slurm =
            lowestFirst("backend.slurm", "networks", "options", "reply", "array", "poll", "submit", "checks", "rest");

    @ArchTest
    static final ArchRule remote = lowestFirst("remote", "host", "shell", "files", "ssh");

    @ArchTest
    static final ArchRule lepton = lowestFirst("backend.lepton", "options", "view", "request", "api", "logs", "checks");

    @ArchTest
    static final ArchRule gate = lowestFirst("gate", "statistics", "criteria");

    @ArchTest
    static final ArchRule job = lowestFirst("job", "text", "", "mask");

    @ArchTest
    static final ArchRule box = lowestFirst("backend.box", "options", "diagnosis");

    @ArchTest
    static final ArchRule monitor = lowestFirst("monitor", "", "poll");

    /** The types of the package {@code name} itself stand where {@code inside} has an empty name, else above all. */
    private static ArchRule lowestFirst(String name, String... inside) {
        List<String> layers = new ArrayList<>(List.of(inside));
        if (!layers.contains("")) {
            layers.add("");
        }
        ALL.put(name, List.copyOf(layers));
        List<String> packages = layers.stream()
                .map(each -> ROOT + name + (each.isEmpty() ? "" : "." + each))
                .toList();
        List<ArchRule> rules = new ArrayList<>();
        for (int i = 0; i < packages.size() - 1; i++) {
            rules.add(noClasses()
                    .that()
                    .resideInAPackage(packages.get(i))
                    .should()
                    .dependOnClassesThat()
                    .resideInAnyPackage(packages.subList(i + 1, packages.size()).toArray(String[]::new))
                    .because("docs/ARCHITECTURE.md puts it below"));
        }
        return CompositeArchRule.of(rules);
    }

    @Test
    void eachPackageInsideStandsInTheRuleAndOnThePage() throws IOException {
        Map<String, List<String>> page = new TreeMap<>();
        for (String line : Files.readAllLines(Path.of("docs/ARCHITECTURE.md"))) {
            Matcher row = ROW.matcher(line);
            if (row.matches()) {
                page.put(
                        row.group(1),
                        List.of(row.group(2)
                                .replace("`", "")
                                .replace("itself", "")
                                .split(", ", -1)));
            }
        }

        assertThat(page).isEqualTo(ALL);
        for (Map.Entry<String, List<String>> each : ALL.entrySet()) {
            try (Stream<Path> files = Files.list(MAIN.resolve(each.getKey().replace('.', '/')))) {
                assertThat(files.filter(Files::isDirectory)
                                .map(folder -> folder.getFileName().toString()))
                        .as(each.getKey())
                        .containsExactlyInAnyOrderElementsOf(each.getValue().stream()
                                .filter(name -> !name.isEmpty())
                                .toList());
            }
        }
    }
}
