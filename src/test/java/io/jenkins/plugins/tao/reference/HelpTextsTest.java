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

/** The help of each field is one file: of its form, or of a class above it, where Jenkins looks too. */
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
    void aHelpThatFormsOfOneFamilyShareStandsOnceInTheClassAboveThem() throws IOException {
        Map<List<Object>, Class<?>> known = new HashMap<>();
        List<String> copies = new ArrayList<>();
        for (Class<?> form : forms()) {
            for (String field : Forms.properties(form).keySet()) {
                Path file = FILES.resolve(form.getName().replace('.', '/')).resolve("help-" + field + ".html");
                Class<?> first = Files.exists(file)
                        ? known.putIfAbsent(List.of(family(form), field, Files.readString(file)), form)
                        : null;
                if (first != null) {
                    copies.add(first.getSimpleName() + " and " + form.getSimpleName() + ": " + field);
                }
            }
        }

        assertThat(copies).isEmpty();
    }

    /** The highest class of the plugin above a form. */
    private static Class<?> family(Class<?> form) {
        Class<?> above = form;
        for (Class<?> type = form; type.getName().startsWith("io.jenkins.plugins.tao"); type = type.getSuperclass()) {
            above = type;
        }
        return above;
    }

    static List<Class<?>> forms() {
        return Forms.all();
    }
}
