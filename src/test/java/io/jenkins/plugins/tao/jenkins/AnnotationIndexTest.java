package io.jenkins.plugins.tao.jenkins;

import static org.assertj.core.api.Assertions.assertThat;

import hudson.init.Terminator;
import io.jenkins.plugins.tao.OurClasses;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jenkinsci.Symbol;
import org.junit.jupiter.api.Test;

/** Jenkins finds symbols and terminators by these two lists; a class that is missing there does not exist for it. */
class AnnotationIndexTest {
    /** Those of the door: no other class knows Jenkins. */
    private static final List<Class<?>> CLASSES =
            OurClasses.shipped("io.jenkins.plugins.tao.jenkins").toList();

    @Test
    void everySymbolIsListed() throws IOException {
        List<String> symbols = CLASSES.stream()
                .filter(type -> type.isAnnotationPresent(Symbol.class))
                .map(Class::getName)
                .toList();

        assertThat(symbols).isNotEmpty();
        assertThat(listed(Symbol.class)).containsExactlyInAnyOrderElementsOf(symbols);
    }

    @Test
    void everyClassWithATerminatorIsListed() throws IOException {
        List<String> terminators = CLASSES.stream()
                .filter(type -> Arrays.stream(type.getDeclaredMethods())
                        .anyMatch(method -> method.isAnnotationPresent(Terminator.class)))
                .map(Class::getName)
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
