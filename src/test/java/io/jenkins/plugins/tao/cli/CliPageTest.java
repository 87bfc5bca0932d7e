package io.jenkins.plugins.tao.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What docs/guides/terminal.md lists is what there is. */
class CliPageTest {
    private static final Path SOURCES = Path.of("src/main/java/io/jenkins/plugins/tao");
    private static final Pattern EVENT = Pattern.compile("\\bevent\\(\"(\\w+)\"\\)");
    private static final Pattern WORD = Pattern.compile("`(\\w+)`");

    private static Set<String> words(Pattern pattern, String text) {
        Set<String> words = new TreeSet<>();
        pattern.matcher(text).results().forEach(found -> words.add(found.group(1)));
        return words;
    }

    @Test
    void everyEventOfJsonIsListedAndNoOther() throws IOException {
        String page = Files.readString(Path.of("docs/guides/terminal.md")).replaceAll("\\s+", " ");
        String list = page.substring(page.indexOf("`event` first"), page.indexOf("keys are only ever added"));
        Set<String> written = new TreeSet<>();
        for (String folder : new String[] {"cli", "journal"}) {
            try (Stream<Path> sources = Files.walk(SOURCES.resolve(folder)).filter(Files::isRegularFile)) {
                for (Path source : sources.toList()) {
                    written.addAll(words(EVENT, Files.readString(source)));
                }
            }
        }

        Set<String> listed = words(WORD, list);
        listed.removeAll(Set.of("event", "at", "list", "discover", "ls"));

        assertThat(listed).isEqualTo(written);
    }
}
