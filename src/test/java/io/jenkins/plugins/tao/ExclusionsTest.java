package io.jenkins.plugins.tao;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Each class that an exclusion of SpotBugs names exists: one that was renamed excludes nothing, and fails the build far from its cause. */
class ExclusionsTest {
    private static final Path SOURCES = Path.of("src/main/java");
    private static final Pattern NAME = Pattern.compile("<Class name=\"(~?)([^\"]+)\"");

    private static Set<String> classes() throws IOException {
        try (Stream<Path> files = Files.walk(SOURCES)) {
            Set<String> classes = new TreeSet<>();
            files.filter(file -> file.toString().endsWith(".java"))
                    .map(file -> SOURCES.relativize(file).toString())
                    .forEach(file -> classes.add(
                            file.substring(0, file.length() - ".java".length()).replace('/', '.')));
            return classes;
        }
    }

    /** Whether one of {@code classes}, or one nested in it, bears the name. */
    private static boolean exists(Set<String> classes, boolean pattern, String name) {
        return pattern
                ? classes.stream().anyMatch(each -> Pattern.matches(name, each))
                : classes.contains(name.replaceFirst("\\$.*", ""));
    }

    @ParameterizedTest
    @ValueSource(strings = {"config/spotbugs-exclude.xml", "jenkins/src/spotbugs/excludesFilter.xml"})
    void eachClassThatAnExclusionNamesExists(String file) throws IOException {
        Set<String> classes = classes();
        List<String> missing = NAME.matcher(Files.readString(Path.of(file)))
                .results()
                .filter(found ->
                        found.group(2).contains("jenkins") && found.group(2).contains("tao"))
                .filter(found -> !exists(classes, !found.group(1).isEmpty(), found.group(2)))
                .map(found -> found.group(2))
                .toList();

        assertThat(missing).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "<Class name=\"io.jenkins.plugins.tao.job.Gone\"/>",
                "<Class name=\"~io\\.jenkins\\.gone\\..*\"/>"
            })
    void aClassThatIsGoneIsSeen(String line) throws IOException {
        Matcher found = NAME.matcher(line);

        assertThat(found.find()).isTrue();
        assertThat(exists(classes(), !found.group(1).isEmpty(), found.group(2))).isFalse();
    }
}
