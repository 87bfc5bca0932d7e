package io.jenkins.plugins.tao.jenkins;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import hudson.init.Terminator;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import org.jenkinsci.Symbol;
import org.junit.jupiter.api.Test;

/** Jenkins finds symbols and terminators by these two lists; a class that is missing there does not exist for it. */
class AnnotationIndexTest {
    private static final JavaClasses CLASSES = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("io.jenkins.plugins.tao");

    @Test
    void everySymbolIsListed() throws IOException {
        List<String> symbols = CLASSES.stream()
                .filter(type -> type.isAnnotatedWith(Symbol.class))
                .map(JavaClass::getName)
                .toList();

        assertThat(symbols).isNotEmpty();
        assertThat(listed(Symbol.class)).containsExactlyInAnyOrderElementsOf(symbols);
    }

    @Test
    void everyClassWithATerminatorIsListed() throws IOException {
        List<String> terminators = CLASSES.stream()
                .filter(type -> type.getMethods().stream().anyMatch(method -> method.isAnnotatedWith(Terminator.class)))
                .map(JavaClass::getName)
                .toList();

        assertThat(terminators).isNotEmpty();
        assertThat(listed(Terminator.class)).containsExactlyInAnyOrderElementsOf(terminators);
    }

    private static List<String> listed(Class<?> annotation) throws IOException {
        String name = "/META-INF/services/annotations/" + annotation.getName();
        try (InputStream list = Objects.requireNonNull(AnnotationIndexTest.class.getResourceAsStream(name), name)) {
            return new String(list.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .toList();
        }
    }
}
