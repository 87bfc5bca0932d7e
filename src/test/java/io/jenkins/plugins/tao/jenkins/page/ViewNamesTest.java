package io.jenkins.plugins.tao.jenkins.page;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A view with an expression that cannot be read is no view: Jenkins answers that the page does not exist. */
class ViewNamesTest {
    /** The words of JEXL 1.1, the language of the expressions. */
    private static final String RESERVED =
            "and|or|eq|ne|lt|gt|le|ge|div|mod|not|null|true|false|empty|size|if|else|foreach|while";

    @Test
    void noVariableOfAViewHasTheNameOfAWordOfTheLanguage() throws IOException {
        try (Stream<Path> files = Files.walk(Path.of("src/main/resources"))) {
            List<Path> views =
                    files.filter(file -> file.toString().endsWith(".jelly")).toList();

            assertThat(views)
                    .isNotEmpty()
                    .allSatisfy(view -> assertThat(Files.readString(view))
                            .doesNotContainPattern("\\bvar(Status)?=\"(" + RESERVED + ")\""));
        }
    }

    /** What stands in parentheses is an expression there, so that a text with some is cut, or the whole view is lost. */
    @Test
    void noTranslatedTextHasParentheses() throws IOException {
        try (Stream<Path> files = Files.walk(Path.of("src/main/resources"))) {
            assertThat(files.filter(file -> file.toString().endsWith(".jelly")))
                    .isNotEmpty()
                    .allSatisfy(view -> assertThat(Files.readString(view))
                            .doesNotContainPattern("\\$\\{%[^}(]*[^}(\\w.][^}(]*\\("));
        }
    }
}
