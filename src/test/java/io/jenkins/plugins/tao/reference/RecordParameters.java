package io.jenkins.plugins.tao.reference;

import io.jenkins.plugins.tao.bind.RecordBinder;
import io.jenkins.plugins.tao.job.text.Option;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** The parameters of a record and of the form that makes it. */
final class RecordParameters {
    /** What a component without the annotation says. */
    private record Plain(@Option String value) {
        private static final Option OPTION =
                Objects.requireNonNull(Plain.class.getRecordComponents()[0].getAnnotation(Option.class));
    }

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
        Option option =
                Optional.ofNullable(component.getAnnotation(Option.class)).orElse(Plain.OPTION);
        Type type = component.getGenericType();
        return new Parameter(
                component.getName(),
                where,
                ComponentForm.of(type),
                ComponentForm.unit(type, option),
                fallback(component, option),
                option.since(),
                docs.about(component.getDeclaringRecord(), component.getName()).orElse(""));
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
        return plain(name, where, "reference to a secret", "the passphrase of `" + component.getName() + "`");
    }

    static Parameter formOnly(Class<?> form, String name, Class<?> type) {
        return plain(
                name,
                "Jenkins",
                ComponentForm.of(type),
                HelpTexts.of(form, name).orElse(""));
    }

    private static Parameter plain(String name, String where, String form, String meaning) {
        return new Parameter(name, where, form, ComponentForm.NONE, ComponentForm.NONE, Plain.OPTION.since(), meaning);
    }

    private static String fallback(RecordComponent component, Option option) {
        if (!option.defaultsTo().isEmpty()) {
            return option.defaultsTo();
        }
        Class<?> type = component.getType();
        if (type.getName().startsWith("java.util.") || call(type, "none").isPresent()) {
            return ComponentForm.NONE;
        }
        return constant(component).map(RecordParameters::shown).orElse("required");
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
