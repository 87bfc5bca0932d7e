package io.jenkins.plugins.tao.reference;

import io.jenkins.plugins.tao.bind.RecordBinder;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The parameters of a record and of the form that makes it. */
final class RecordParameters {
    private static final String FIRST = "0.1.0";
    private static final Pattern SINCE = Pattern.compile("[;,.]? ?[Ss]ince (\\d+\\.\\d+\\.\\d+)\\.?");
    private static final Pattern EMPTY = Pattern.compile("(?:^|[;,.] ?)[Ee]mpty for ((?:[^;.`]|`[^`]*`|\\.(?=\\S))+)");
    private static final Pattern NAMED =
            Pattern.compile("(?:(?<=default )|(?=`[^`]+`, (?:which is )?the default))(`[^`]+`)");

    private final SourceDocs docs;
    private final RecordBinder records = new RecordBinder(Map.of());

    RecordParameters(SourceDocs docs) {
        this.docs = docs;
    }

    /** One for each component, in the order of their declaration, then what the form alone has. */
    List<Parameter> of(Class<?> record) {
        Optional<Class<?>> form = Forms.of(record);
        Map<String, Class<?>> properties =
                new LinkedHashMap<>(form.map(Forms::properties).orElse(Map.of()));
        List<Parameter> all = new ArrayList<>();
        records.components(record).forEach((name, component) -> {
            boolean inForm = properties.remove(name) != null;
            String where = form.isEmpty() || !inForm ? "file" : "file, Jenkins";
            all.add(name.equals(component.getName()) ? of(component, where) : passphrase(name, component, where));
        });
        properties.forEach((name, type) -> all.add(formOnly(form.orElseThrow(), name, type)));
        return all;
    }

    private Parameter of(RecordComponent component, String where) {
        Class<?> record = component.getDeclaringRecord();
        String said = docs.about(record, component.getName()).orElse("");
        Matcher since = SINCE.matcher(said);
        String version = since.find() ? since.group(1) : FIRST;
        String meaning = since.reset().replaceAll("");
        return new Parameter(
                component.getName(),
                where,
                ComponentForm.of(component.getGenericType()),
                ComponentForm.unit(component.getGenericType(), meaning),
                fallback(component, meaning),
                version,
                EMPTY.matcher(meaning).replaceAll(""));
    }

    /** The groups of keys that stand below a key of {@code record}, by that key. */
    Map<String, Class<?>> groups(Class<?> record) {
        Map<String, Class<?>> groups = new LinkedHashMap<>();
        records.components(record)
                .forEach((name, component) ->
                        ComponentForm.group(component.getGenericType()).ifPresent(group -> groups.put(name, group)));
        return groups;
    }

    /** The forms that stand below a key that only the form of {@code record} has, by that key. */
    Map<String, Class<?>> parts(Class<?> record) {
        Map<String, Class<?>> parts =
                new LinkedHashMap<>(Forms.of(record).map(Forms::properties).orElse(Map.of()));
        parts.keySet().removeAll(records.components(record).keySet());
        parts.values().removeIf(type -> !type.getSimpleName().endsWith("Configuration"));
        return parts;
    }

    private static Parameter passphrase(String name, RecordComponent component, String where) {
        String meaning = "the passphrase of `" + component.getName() + "`";
        return new Parameter(
                name, where, "reference to a secret", ComponentForm.NONE, ComponentForm.NONE, FIRST, meaning);
    }

    static Parameter formOnly(Class<?> form, String name, Class<?> type) {
        String help = HelpTexts.of(form, name).orElse("");
        return new Parameter(
                name, "Jenkins", ComponentForm.of(type), ComponentForm.NONE, ComponentForm.NONE, FIRST, help);
    }

    private static String fallback(RecordComponent component, String meaning) {
        Matcher named = NAMED.matcher(meaning);
        if (named.find()) {
            return named.group(1);
        }
        Matcher empty = EMPTY.matcher(meaning);
        if (empty.find()) {
            return empty.group(1).strip();
        }
        Optional<Object> value = constant(component);
        if (value.isPresent()) {
            return value.get() instanceof Optional<?> || value.get() instanceof List<?>
                    ? ComponentForm.NONE
                    : shown(value.get());
        }
        Class<?> type = component.getType();
        boolean open = !meaning.contains("at least one")
                && (type.getName().startsWith("java.util.")
                        || call(type, "none").isPresent());
        return open ? ComponentForm.NONE : "required";
    }

    private static Optional<Object> constant(RecordComponent component) {
        return call(component.getDeclaringRecord(), "defaults").map(defaults -> {
            try {
                return component.getAccessor().invoke(defaults);
            } catch (ReflectiveOperationException e) {
                throw new IllegalStateException(e);
            }
        });
    }

    private static Optional<Object> call(Class<?> type, String method) {
        try {
            Method found = type.getMethod(method);
            return found.getReturnType() == type ? Optional.of(found.invoke(null)) : Optional.empty();
        } catch (ReflectiveOperationException e) {
            return Optional.empty();
        }
    }

    private static String shown(Object value) {
        if (value instanceof Duration time) {
            return time.toSeconds() % 60 == 0 ? time.toMinutes() + " minutes" : time.toSeconds() + " seconds";
        }
        return value.getClass().isEnum() ? ComponentForm.word(value) : "`" + value + "`";
    }
}
