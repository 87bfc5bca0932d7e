package io.jenkins.plugins.tao.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.jenkins.plugins.tao.Promise;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** README, pages and help say what there is, and say it alike. */
class DocsTest {
    private static final Pattern TAG = Pattern.compile("tao/tao-toolkit:([\\w.-]+)");
    private static final Pattern MISSING_SPEC = Pattern.compile("-e (?!\\{config_path})\\S+");

    private static final Pattern LINK = Pattern.compile("]\\(([^)\\s]+)\\)");
    private static final Pattern HEADING = Pattern.compile("#{1,6} (.*)");

    /** Pages that may be long: generated ones, tables to search, and one page for each kind of target. */
    private static final Pattern LONG =
            Pattern.compile("docs/(reference/.*|backends/.*|benchmarks\\.md|troubleshooting\\.md)");

    private static final int WORDS = 1500;

    /** What quotes the product: code, and the rows of causes, which EndingsTest holds. */
    private static final Pattern QUOTED = Pattern.compile("`[^`]*`|<code>.*?</code>|^\\| `[A-Z_]+` \\|.*");

    /** Words that pages avoid, each with those that they use. */
    private static final Map<Pattern, String> PLAIN = Map.ofEntries(
            plain("told|tells?", "report, show, log"),
            plain("mend(s|ed)?", "fix"),
            plain("anew", "again"),
            plain("tonight|nights?", "run, build"),
            plain("nobody|whoever|(a )?persons?|people", "user, administrator, or leave it out"),
            plain("whatever", "any, even if"),
            plain("of (its|his) own", "own, separate"),
            plain("by itself", "automatically"),
            plain("but for", "except"),
            plain("unless said", "default"),
            plain("pass(es)? by", "ignore, skip"),
            plain("plays?|played", "simulate"),
            plain("goes? on|takes? up|on its way|under way", "continue, resume, in progress"),
            plain("hopeless", "early stopping"),
            plain("(brings?|brought|comes?|came|goes|stays) home", "fetch, archive"));

    private static Map.Entry<Pattern, String> plain(String avoided, String used) {
        return Map.entry(Pattern.compile("(?i)\\b(" + avoided + ")\\b"), used);
    }

    private static List<Path> texts() throws IOException {
        List<Path> texts = new ArrayList<>(List.of(Path.of("README.md")));
        for (String folder : List.of("docs", "src/main/resources")) {
            try (Stream<Path> files = Files.walk(Path.of(folder))) {
                files.filter(file -> file.toString().matches(".*\\.(md|html|jelly|properties|yaml|Jenkinsfile)"))
                        .forEach(texts::add);
            }
        }
        return texts;
    }

    private static List<Path> pages() throws IOException {
        List<Path> pages = new ArrayList<>(List.of(Path.of("README.md"), Path.of("CONTRIBUTING.md")));
        try (Stream<Path> files = Files.walk(Path.of("docs"))) {
            files.filter(file -> file.toString().endsWith(".md")).forEach(pages::add);
        }
        return pages;
    }

    /** The lines of a page outside of code. */
    private static List<String> prose(Path page) throws IOException {
        List<String> lines = new ArrayList<>();
        boolean code = false;
        for (String line : Files.readAllLines(page)) {
            boolean fence = line.strip().startsWith("```");
            code ^= fence;
            if (!code && !fence) {
                lines.add(line);
            }
        }
        return lines;
    }

    /** The anchors of a page's headings, as GitHub makes them. */
    private static Set<String> anchors(Path page) throws IOException {
        Set<String> anchors = new TreeSet<>();
        for (String line : prose(page)) {
            Matcher heading = HEADING.matcher(line);
            if (heading.matches()) {
                String anchor = LINK.matcher(heading.group(1))
                        .replaceAll("")
                        .toLowerCase(Locale.ROOT)
                        .replaceAll("[^\\p{L}\\p{N}_ -]", "")
                        .replace(' ', '-');
                String unique = anchor;
                for (int copy = 1; !anchors.add(unique); copy++) {
                    unique = anchor + "-" + copy;
                }
            }
        }
        return anchors;
    }

    private static boolean resolves(Path page, String link) throws IOException {
        String[] parts = link.split("#", 2);
        Path file = parts[0].isEmpty() ? page : page.resolveSibling(parts[0]).normalize();
        return Files.exists(file) && (parts.length == 1 || anchors(file).contains(parts[1]));
    }

    private static void options(CommandLine line, Set<String> names) {
        line.getCommandSpec().options().forEach(option -> names.add(option.longestName()));
        line.getSubcommands().values().forEach(verb -> options(verb, names));
    }

    @Test
    @Promise("TR-76")
    void everyOptionOfTheCommandLineStandsInThePages(@TempDir Path directory) throws IOException {
        Bench bench = new Bench(directory);
        Set<String> names = new TreeSet<>();
        options(Program.line(bench.surroundings(), bench.interrupts), names);
        StringBuilder pages = new StringBuilder();
        for (Path text : texts()) {
            pages.append(text.toString().endsWith(".md") ? Files.readString(text) : "");
        }

        assertThat(names)
                .hasSizeGreaterThan(20)
                .allSatisfy(name -> assertThat(pages).contains(name));
    }

    @Test
    @Promise("TR-76")
    void oneTagOfTheImageStandsEverywhere() throws IOException {
        Set<String> tags = new TreeSet<>();
        for (Path text : texts()) {
            TAG.matcher(Files.readString(text)).results().forEach(found -> tags.add(found.group(1)));
        }

        assertThat(tags).hasSize(1);
    }

    @Test
    @Promise("TR-76")
    void everyCommandThatTakesASpecTakesTheOneThatTheJobWrites() throws IOException {
        List<String> wrong = new ArrayList<>();
        for (Path text : texts()) {
            for (String line : Files.readAllLines(text)) {
                if (line.matches(
                                ".*\\b(dino|classification|classification_pyt|visual_changenet) (train|evaluate|export)\\b.*")
                        && MISSING_SPEC.matcher(line).find()) {
                    wrong.add(text + ": " + line.strip());
                }
            }
        }

        assertThat(wrong).isEmpty();
    }

    @Test
    void everyRelativeLinkOfThePagesResolves() throws IOException {
        List<String> broken = new ArrayList<>();
        int links = 0;
        for (Path page : pages()) {
            for (String line : prose(page)) {
                Matcher link = LINK.matcher(line.replaceAll("`[^`]*`", ""));
                while (link.find()) {
                    if (!link.group(1).matches("[a-z]+:.*")) {
                        links++;
                        if (!resolves(page, link.group(1))) {
                            broken.add(page + ": " + link.group(1));
                        }
                    }
                }
            }
        }

        assertThat(broken).isEmpty();
        assertThat(links).isGreaterThan(200);
    }

    @Test
    void noPageIsLongerThanAReaderReads() throws IOException {
        List<String> tooLong = new ArrayList<>();
        for (Path page : pages()) {
            String text = Files.readString(page).replace("|", "").strip();
            int words = text.split("\\s+", -1).length;
            if (words > WORDS && !LONG.matcher(page.toString()).matches()) {
                tooLong.add(page + ": " + words);
            }
        }

        assertThat(tooLong).isEmpty();
    }

    @Test
    void examplesInPagesAreThoseOfTheRepository() throws IOException {
        Map<String, String> examples = Map.of(
                "docs/guides/nightly.md", "docs/examples/nightly.Jenkinsfile",
                "docs/guides/job-file.md", "docs/examples/slurm-train.yaml",
                "docs/admin/targets.md", "jenkins/src/test/resources/io/jenkins/plugins/tao/jenkins/targets.yaml");
        for (Map.Entry<String, String> example : examples.entrySet()) {
            assertThat(Files.readString(Path.of(example.getKey())))
                    .contains(Files.readString(Path.of(example.getValue())));
        }
    }

    /** The tests in {@code jenkins} run where Jenkins' own repository answers; what they have to run is known here. */
    @Test
    void everyPipelineExampleIsInTheTestsOfJenkins() throws IOException {
        String tests =
                Files.readString(Path.of("jenkins/src/test/java/io/jenkins/plugins/tao/jenkins/ExamplesTest.java"));
        try (Stream<Path> examples = Files.list(Path.of("docs/examples"))) {
            assertThat(examples.map(path -> String.valueOf(path.getFileName()))
                            .filter(name -> name.endsWith(".Jenkinsfile")))
                    .isNotEmpty()
                    .allSatisfy(name -> assertThat(tests)
                            .containsAnyOf(
                                    "example(\"" + name.replace(".Jenkinsfile", "") + "\")",
                                    "\"docs/examples/" + name + "\""));
        }
    }

    @Test
    void pagesAreInPlainWords() throws IOException {
        List<String> found = new ArrayList<>();
        for (Path page : texts()) {
            if (!page.toString().matches(".*(\\.md|help.*\\.html|\\.jelly|Messages.*\\.properties)")) {
                continue;
            }
            for (String line : Files.readAllLines(page)) {
                String text = QUOTED.matcher(line).replaceAll("");
                PLAIN.forEach((avoided, used) -> avoided.matcher(text)
                        .results()
                        .forEach(word -> found.add(page + ": '" + word.group() + "', better: " + used)));
            }
        }

        assertThat(found).isEmpty();
    }

    @Test
    @Promise("TR-76")
    void theFirstCommandOfTheReadmeLeavesNothingUntracked() throws IOException {
        assertThat(Files.readAllLines(Path.of(".gitignore"))).contains("target/", "tao-artifacts/");
    }
}
