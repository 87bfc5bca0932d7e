package io.jenkins.plugins.tao;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** What docs/ARCHITECTURE.md and each package say that a package may use, against the rules of {@link ArchitectureTest}. */
class PackageTextsTest {
    private static final Path MAIN = Path.of("src/main/java/io/jenkins/plugins/tao");

    private static final Pattern RULE = Pattern.compile("mayUse\\(\\s*((?:\"[a-z.]+\",?\\s*)+)\\)");
    private static final Pattern ROW = Pattern.compile("\\| `([a-z.]+)` \\|.*\\| ([^|]*) \\|");
    private static final Pattern TEXT = Pattern.compile("May use(.*?)@NullMarked", Pattern.DOTALL);

    private static Set<String> words(String pattern, String text) {
        Set<String> words = new TreeSet<>();
        Matcher word = Pattern.compile(pattern).matcher(text);
        while (word.find()) {
            words.add(word.group(1));
        }
        return words;
    }

    private static Map<String, Set<String>> rules() throws IOException {
        Map<String, Set<String>> rules = new TreeMap<>();
        Matcher rule =
                RULE.matcher(Files.readString(Path.of("src/test/java/io/jenkins/plugins/tao/ArchitectureTest.java")));
        while (rule.find()) {
            String[] names = rule.group(1).replaceAll("[\"\\s]", "").split(",");
            rules.put(names[0], new TreeSet<>(Arrays.asList(names).subList(1, names.length)));
        }
        assertThat(rules).hasSizeGreaterThan(25);
        return rules;
    }

    @Test
    void eachRowOfThePageSaysWhatTheRuleAllows() throws IOException {
        Map<String, Set<String>> rows = new TreeMap<>();
        for (String line : Files.readAllLines(Path.of("docs/ARCHITECTURE.md"))) {
            Matcher row = ROW.matcher(line);
            if (row.matches() && !row.group(1).equals("jenkins")) {
                rows.put(row.group(1), words("`([a-z.]+)`", row.group(2)));
            }
        }

        assertThat(rows).isEqualTo(rules());
    }

    @Test
    void eachPackageSaysWhatTheRuleAllows() throws IOException {
        Map<String, Set<String>> texts = new TreeMap<>();
        for (String name : rules().keySet()) {
            String info = Files.readString(MAIN.resolve(name.replace('.', '/')).resolve("package-info.java"));
            Matcher text = TEXT.matcher(info.replace("\n *", " ").replaceAll(" +", " "));
            texts.put(name, text.find() ? words("\\{@code ([a-z.]+)}", text.group(1)) : Set.of("(nothing is said)"));
        }

        assertThat(texts).isEqualTo(rules());
    }

    @Test
    void thePictureShowsEachPackageOfTheJenkinsDoor() throws IOException {
        String page = Files.readString(Path.of("docs/ARCHITECTURE.md"));
        String shown = page.substring(page.indexOf("jenkins.{"), page.indexOf('}', page.indexOf("jenkins.{")));

        try (var folders = Files.list(MAIN.resolve("jenkins"))) {
            assertThat(folders.filter(Files::isDirectory)
                            .map(folder -> folder.getFileName().toString()))
                    .allSatisfy(name -> assertThat(shown).contains(name));
        }
    }
}
