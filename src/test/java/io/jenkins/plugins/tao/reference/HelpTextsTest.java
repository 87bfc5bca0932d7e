package io.jenkins.plugins.tao.reference;

import static org.assertj.core.api.Assertions.assertThat;

import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.jenkins.step.SubmitStep;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The help of each field is one file: of its form, of a class above it, where Jenkins looks too, or of the form that it names. */
class HelpTextsTest {
    private static final Path FILES = Path.of("src/main/resources");

    @ParameterizedTest
    @Promise("JK-28")
    @MethodSource("forms")
    void eachFieldHasItsHelp(Class<?> form) {
        Map<String, Class<?>> fields = new HashMap<>(Forms.properties(form));
        fields.values().removeIf(type -> type == SubmitStep.class); // a form in the form, with helps of its own

        assertThat(fields.keySet())
                .allSatisfy(
                        field -> assertThat(HelpTexts.of(form, field)).as(field).isNotEmpty());
    }

    @Test
    void aHelpThatSeveralFormsShareStandsOnce() throws IOException {
        Map<List<Object>, Class<?>> known = new HashMap<>();
        List<String> copies = new ArrayList<>();
        for (Class<?> form : forms()) {
            for (String field : Forms.properties(form).keySet()) {
                Path file = FILES.resolve(form.getName().replace('.', '/')).resolve("help-" + field + ".html");
                Class<?> first =
                        Files.exists(file) ? known.putIfAbsent(List.of(field, Files.readString(file)), form) : null;
                if (first != null) {
                    copies.add(first.getSimpleName() + " and " + form.getSimpleName() + ": " + field);
                }
            }
        }

        assertThat(copies).isEmpty();
    }

    static List<Class<?>> forms() {
        return Forms.all();
    }
}
