package io.jenkins.plugins.tao.features;

import static org.assertj.core.api.Assertions.assertThat;

import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.job.Outcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What docs/troubleshooting.md explains is what the product says. */
class TroubleshootingPageTest {
    private static final Pattern ROW = Pattern.compile("(?m)^\\| `([^`]+)`");
    /** What differs from one message to the next: names in capitals, quoted names, numbers, and where the page leaves out. */
    private static final Pattern VARIES = Pattern.compile("\\b[A-Z]{2,}(s have)?\\b|\\bN\\b|…|'|\\d[\\d.]*");

    private static final Pattern JOINED = Pattern.compile("\"\\s*\\+\\s*\"");
    private static final int TELLING = 10;

    private static String sources() throws IOException {
        StringBuilder text = new StringBuilder();
        try (Stream<Path> files = Files.walk(Path.of("src/main"))) {
            for (Path file : files.filter(each -> each.toString().matches(".*\\.(java|txt|properties)"))
                    .toList()) {
                text.append(JOINED.matcher(Files.readString(file)).replaceAll(""));
            }
        }
        return text.toString();
    }

    @Test
    @Promise("JK-27")
    void eachMessageBeginsAsTheProductSaysIt() throws IOException {
        String sources = sources();
        List<String> unknown = new ArrayList<>();
        List<String> messages = ROW.matcher(Files.readString(Path.of("docs/troubleshooting.md")))
                .results()
                .map(row -> row.group(1))
                .filter(message -> Outcome.Cause.named(message).isEmpty()) // EndingsTest holds their table
                .toList();
        for (String message : messages) {
            boolean told = VARIES.splitAsStream(message)
                    .map(part -> part.replaceAll("^[\\s.,;:]+|[\\s.,;:]+$", ""))
                    .filter(part -> part.length() >= TELLING)
                    .anyMatch(sources::contains);
            if (!told) {
                unknown.add(message);
            }
        }

        assertThat(messages).hasSizeGreaterThan(20);
        assertThat(unknown).isEmpty();
    }
}
