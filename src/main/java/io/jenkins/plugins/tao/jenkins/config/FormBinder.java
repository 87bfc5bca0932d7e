package io.jenkins.plugins.tao.jenkins.config;

import hudson.util.FormValidation;
import io.jenkins.plugins.tao.backend.kubernetes.options.KubernetesTarget.Certificate;
import io.jenkins.plugins.tao.bind.RecordBinder;
import io.jenkins.plugins.tao.job.Durations;
import io.jenkins.plugins.tao.job.text.OnePerLine;
import io.jenkins.plugins.tao.job.text.Option;
import io.jenkins.plugins.tao.remote.ssh.HostKeys;
import java.lang.reflect.Method;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Makes the record of an adapter from the properties of a describable, which have the names of its components. */
final class FormBinder {
    /** What a form holds as text and a file of targets as a path. */
    private static final RecordBinder RECORDS = new RecordBinder(Map.of(
            HostKeys.class, HostKeys::ofText,
            Certificate.class, Certificate::new));

    private FormBinder() {}

    /** A part of a form that is a record by itself. */
    interface Part {
        /**
         * The record.
         *
         * @throws IllegalArgumentException if a field is wrong
         */
        Object toRecord();
    }

    /**
     * Makes a {@code record}.
     *
     * @param given components that are no properties of the form, such as credentials; an empty {@link Optional} for none
     * @throws IllegalArgumentException if a field is wrong
     */
    static <R> R bind(Object form, Map<String, ?> given, Class<R> record) {
        Map<String, Object> fields = fields(form, record);
        fields.keySet().removeAll(given.keySet());
        return RECORDS.bind(fields, given, record);
    }

    /**
     * Reads each property as its component's type; what needs several of them or a credential is not looked at.
     *
     * @throws IllegalArgumentException naming the field that is wrong
     */
    static void check(Object form, Class<?> record) {
        fields(form, record).forEach((key, value) -> RECORDS.check(key, value, record));
    }

    /**
     * Makes the record and drops it: for a form of which nothing lies with a credential.
     *
     * @throws IllegalArgumentException if a field is wrong
     */
    static void checkAll(Object form, Class<?> record) {
        Objects.requireNonNull(bind(form, Map.of(), record));
    }

    /** What is wrong with the text of one field, by its type alone. */
    static FormValidation readable(String field, @Nullable String text, Class<?> record) {
        return TargetDescriptor.checked(
                () -> given(field, text, record).ifPresent(value -> RECORDS.check(field, value, record)));
    }

    /** The same with the checks of the record itself, in which nothing else is given but {@code rest}. */
    static FormValidation checked(String field, @Nullable String text, Map<String, ?> rest, Class<?> record) {
        return TargetDescriptor.checked(() -> given(field, text, record)
                .ifPresent(value -> Objects.requireNonNull(RECORDS.bind(Map.of(field, value), rest, record))));
    }

    /** What holds while a field is empty, in plain text; empty where nothing says it. */
    static String defaultOf(String field, Class<?> record) {
        RecordComponent component = component(field, record);
        Option option = component.getAnnotation(Option.class);
        return option == null || option.defaultsTo().isEmpty()
                ? constant(component)
                : option.defaultsTo().replace("`", "");
    }

    /** The value that the record's {@code defaults()} has. */
    private static String constant(RecordComponent component) {
        try {
            Object defaults =
                    component.getDeclaringRecord().getMethod("defaults").invoke(null);
            Object value = component.getAccessor().invoke(defaults);
            if (value instanceof Boolean yes) {
                return yes ? "yes" : "no";
            }
            if (value instanceof Enum<?> word) {
                return word.name().toLowerCase(Locale.ROOT);
            }
            return value instanceof Duration time ? Durations.words(time) : "";
        } catch (NoSuchMethodException e) {
            return "";
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("defaults() of " + component.getDeclaringRecord() + " must be public", e);
        }
    }

    /** Whether a record has a component for a field. */
    static boolean has(String field, Class<?> record) {
        return record.isRecord() && RECORDS.components(record).containsKey(field);
    }

    /** The type of a field's value, without the optional around it. */
    static Class<?> type(String field, Class<?> record) {
        Type type = component(field, record).getGenericType();
        return (Class<?>) (type instanceof ParameterizedType generic ? generic.getActualTypeArguments()[0] : type);
    }

    /** Whether a field's value is one of a few. */
    static boolean isChosen(String field, Class<?> record) {
        Class<?> type = type(field, record);
        return type.isEnum() || type == boolean.class || type == Boolean.class;
    }

    /** Whether a property of a form holds anything. */
    static boolean isGiven(Object form, String name) {
        return property(form, name)
                .filter(value -> !(value instanceof String text) || !text.isBlank())
                .isPresent();
    }

    /** The text of a property of a form; empty for a blank one, and where the form has none of this name. */
    static Optional<String> text(Object form, String name) {
        return property(form, name).filter(String.class::isInstance).flatMap(text -> FormText.text(text.toString()));
    }

    private static Optional<Object> given(String field, @Nullable String text, Class<?> record) {
        return FormText.text(text).flatMap(entered -> value(entered, component(field, record)));
    }

    private static RecordComponent component(String field, Class<?> record) {
        return Objects.requireNonNull(RECORDS.components(record).get(field), field);
    }

    private static Map<String, Object> fields(Object form, Class<?> record) {
        Map<String, Object> fields = new LinkedHashMap<>();
        RECORDS.components(record)
                .forEach((name, component) -> property(form, name)
                        .flatMap(value -> value(value, component))
                        .ifPresent(value -> fields.put(name, value)));
        return fields;
    }

    private static Optional<Object> property(Object form, String name) {
        try {
            Method getter = form.getClass()
                    .getMethod("get" + name.substring(0, 1).toUpperCase(Locale.ROOT) + name.substring(1));
            return Optional.ofNullable(getter.invoke(form));
        } catch (NoSuchMethodException e) {
            return Optional.empty(); // given by the form's own code, or by nobody
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(form.getClass() + " must have public getters", e);
        }
    }

    /** The value of a field as a record's component; empty for a blank one. */
    private static Optional<Object> value(Object given, RecordComponent component) {
        if (given instanceof Part part) {
            return Optional.of(part.toRecord());
        }
        if (!(given instanceof String text)) {
            return Optional.empty(); // needs a credential
        }
        if (text.isBlank()) {
            return Optional.empty();
        }
        if (Collection.class.isAssignableFrom(component.getType())) {
            List<String> list =
                    component.isAnnotationPresent(OnePerLine.class) ? FormText.lines(text) : FormText.list(text);
            return Optional.of(list);
        }
        return Optional.of(component.getType() == Map.class ? FormText.texts(component.getName(), text) : text.strip());
    }
}
