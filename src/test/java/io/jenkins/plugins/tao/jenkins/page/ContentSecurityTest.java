package io.jenkins.plugins.tao.jenkins.page;

import static org.assertj.core.api.Assertions.assertThat;

import io.jenkins.plugins.tao.Promise;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** No page has anything that a strict content security policy forbids: inline scripts, handlers in attributes, code made of text. */
class ContentSecurityTest {
    private static final Path RESOURCES = Path.of("src/main/resources");

    @Test
    @Promise("JK-24")
    void noViewHasInlineScriptsHandlersOrStyles() throws IOException {
        assertThat(files(".jelly"))
                .isNotEmpty()
                .allSatisfy(view -> assertThat(Files.readString(view))
                        .startsWith("<?jelly escape-by-default='true'?>")
                        .doesNotContainPattern("<script(?![^>]*\\bsrc=)")
                        .doesNotContainPattern("\\son[a-z]+=\"")
                        .doesNotContainPattern("\\sstyle=\"")
                        .doesNotContain("javascript:"));
    }

    @Test
    @Promise("JK-24")
    void noScriptMakesCodeOrMarkupOfText() throws IOException {
        assertThat(files(".js"))
                .isNotEmpty()
                .allSatisfy(script -> assertThat(Files.readString(script))
                        .doesNotContainPattern("\\beval\\(|new Function\\(|document\\.write")
                        .doesNotContainPattern("\\.(innerHTML|outerHTML)\\s*=[^=]|insertAdjacentHTML"));
    }

    private static List<Path> files(String ending) throws IOException {
        try (Stream<Path> files = Files.walk(RESOURCES)) {
            return files.filter(file -> file.toString().endsWith(ending))
                    .sorted()
                    .toList();
        }
    }
}
