package io.jenkins.plugins.tao.jenkins;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.jenkins.config.TaoGlobalConfiguration;
import io.jenkins.plugins.tao.reference.Forms;
import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Each property of each step, target and option, whichever there are: it has its place in a form, and survives being written and read. */
class RoundTripTest {
    private static final Path VIEWS = Path.of("src/main/resources");
    private static final Pattern FIELD = Pattern.compile("field=\"(\\w+)\"");
    private static final Pattern INCLUDED = Pattern.compile("<st:include ([^>]*)/>");
    private static final Pattern PAGE = Pattern.compile("page=\"([^\"]*)\"");
    private static final Pattern CLASS = Pattern.compile("class=\"([^\"]*)\"");

    @ParameterizedTest
    @Promise("JK-25")
    @MethodSource("all")
    void whatAPipelineWritesOfAnObjectMakesTheSameObjectAgain(Class<?> type) {
        Described described = new Described(type);
        Map<String, Object> sample = described.sample();
        Object object = described.make(sample);

        Map<String, Object> written = described.written(object);
        Object read = described.read(written);

        assertThat(written.keySet()).containsExactlyInAnyOrderElementsOf(sample.keySet());
        assertThat(Described.values(read)).isEqualTo(Described.values(object));
        assertThat(written.values())
                .filteredOn(Map.class::isInstance)
                .allSatisfy(map -> assertThat(((Map<?, ?>) map).keySet())
                        .allSatisfy(key -> assertThat(key)
                                .as("a key that Groovy takes without quotes, or text")
                                .asString()
                                .doesNotContain(".")));
    }

    @ParameterizedTest
    @Promise("JK-25")
    @MethodSource("all")
    void anObjectOfWhichNothingWasSaidHasNothingToWrite(Class<?> type) {
        Described described = new Described(type);

        assertThat(described.written(described.make(Map.of()))).isEmpty();
    }

    @ParameterizedTest
    @Promise("JK-25")
    @MethodSource("all")
    void eachPropertyHasItsFieldInTheForm(Class<?> type) throws IOException {
        assertThat(fields(form(type))).containsAll(Forms.properties(type).keySet());
    }

    /** A class without one has that of the class above it. */
    private static Path form(Class<?> type) {
        Path own = VIEWS.resolve(type.getName().replace('.', '/')).resolve("config.jelly");
        return Files.exists(own) || type.getSuperclass() == Object.class ? own : form(type.getSuperclass());
    }

    /** Configuration as code takes what has a public setter and a public getter of one type, and no fields. */
    @ParameterizedTest
    @Promise("JK-25")
    @MethodSource("configured")
    void configurationAsCodeFindsEachProperty(Class<?> type) {
        Set<String> constructed = new TreeSet<>();
        Arrays.stream(type.getConstructors())
                .flatMap(constructor -> Arrays.stream(constructor.getParameters()))
                .forEach(parameter -> constructed.add(parameter.getName()));

        assertThat(Forms.properties(type).entrySet()).allSatisfy(property -> {
            Method getter = getter(type, property.getKey());
            assertThat(getter.getReturnType()).isEqualTo(property.getValue());
            if (!constructed.contains(property.getKey())) {
                assertThatCode(() -> type.getMethod("set" + end(property.getKey()), property.getValue()))
                        .doesNotThrowAnyException();
            }
        });
    }

    private static Method getter(Class<?> type, String property) {
        return Arrays.stream(type.getMethods())
                .filter(method -> method.getParameterCount() == 0 && !method.isBridge())
                .filter(method -> method.getName().equals("get" + end(property))
                        || method.getName().equals("is" + end(property)))
                .findFirst()
                .orElseThrow(() -> new AssertionError(type + " has no getter for " + property));
    }

    private static String end(String property) {
        return Character.toUpperCase(property.charAt(0)) + property.substring(1);
    }

    private static Set<String> fields(Path form) throws IOException {
        if (!Files.exists(form)) {
            return Set.of();
        }
        String text = Files.readString(form);
        Set<String> fields = new TreeSet<>(
                FIELD.matcher(text).results().map(found -> found.group(1)).toList());
        for (MatchResult included : INCLUDED.matcher(text).results().toList()) {
            String owner = one(CLASS, included.group(1)).replace('.', '/');
            fields.addAll(fields(VIEWS.resolve(owner).resolve(one(PAGE, included.group(1)))));
        }
        return fields;
    }

    private static String one(Pattern attribute, String of) {
        return attribute
                .matcher(of)
                .results()
                .map(found -> found.group(1))
                .findFirst()
                .orElseThrow(() -> new AssertionError(of + " has no " + attribute));
    }

    static List<Class<?>> all() {
        return Forms.all();
    }

    static List<Class<?>> configured() {
        List<Class<?>> types = new ArrayList<>(Forms.all());
        types.removeIf(type -> !type.getPackageName().equals(TaoGlobalConfiguration.class.getPackageName()));
        types.add(TaoGlobalConfiguration.class);
        return types;
    }
}
