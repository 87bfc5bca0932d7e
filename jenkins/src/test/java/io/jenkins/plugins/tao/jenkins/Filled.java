package io.jenkins.plugins.tao.jenkins;

import hudson.model.Descriptor;
import hudson.util.ListBoxModel;
import io.jenkins.plugins.tao.jenkins.config.RecordDescriptor;
import io.jenkins.plugins.tao.jenkins.config.SecurityContextConfiguration;
import io.jenkins.plugins.tao.jenkins.config.TaoGlobalConfiguration;
import io.jenkins.plugins.tao.jenkins.config.TargetConfiguration;
import java.lang.reflect.Method;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import jenkins.model.Jenkins;
import org.jenkinsci.plugins.structs.describable.DescribableModel;
import org.jenkinsci.plugins.structs.describable.DescribableParameter;
import org.kohsuke.stapler.HttpResponses;

/** Describables with something in every field that a form can set, found by reflection: a new field is in it by itself. */
final class Filled {
    private static final List<String> READABLE = List.of("/as-entered", "2", "2h", "true", "as: entered", "-----BEGIN CERTIFICATE-----", "https://as.entered");

    private Filled() {}

    /** One of each kind that extends {@code base} and has a form with fields. */
    static <T> List<T> all(Class<T> base) {
        return Jenkins.get().getExtensionList(Descriptor.class).stream()
                .filter(form -> base.isAssignableFrom(form.clazz))
                .filter(form -> !DescribableModel.of(form.clazz).getParameters().isEmpty())
                .map(form -> base.cast(of(form.clazz)))
                .toList();
    }

    private static Object of(Class<?> type) {
        Map<String, Object> values = new LinkedHashMap<>();
        for (DescribableParameter field : DescribableModel.of(type).getParameters()) {
            values.put(field.getName(), value(type, field));
        }
        try {
            return TargetConfiguration.class.isAssignableFrom(type)
                    ? readable(type, values)
                    : DescribableModel.of(type).instantiate(values, null);
        } catch (RuntimeException e) {
            throw new AssertionError("cannot fill " + type.getSimpleName() + " with " + values, e);
        }
    }

    /** A list of targets with a field that cannot be read is refused: each field gets the first text that it takes. */
    private static Object readable(Class<?> type, Map<String, Object> values) {
        values.put("name", type.getSimpleName());
        while (true) {
            Object made = DescribableModel.of(type).instantiate(values, null);
            try {
                TaoGlobalConfiguration.get().setTargets(List.of((TargetConfiguration) made));
                return made;
            } catch (IllegalArgumentException e) {
                String field = values.keySet().stream()
                        .filter(name -> e.getMessage().matches(".*: " + name + ":? .*"))
                        .findFirst()
                        .orElseThrow(() -> new AssertionError("no text found for " + type.getSimpleName(), e));
                int next = READABLE.indexOf(values.get(field)) + 1;
                if (next == READABLE.size()) {
                    throw new AssertionError("no text found for " + field, e);
                }
                values.put(field, READABLE.get(next));
            }
        }
    }

    private static Object value(Class<?> type, DescribableParameter field) {
        Class<?> kind = field.getErasedType();
        if (kind == String.class
                && (type == SecurityContextConfiguration.class || field.getName().equals("port"))) {
            return "1000";
        }
        if (kind == String.class) {
            return offered(type, field.getName()).orElse(field.getName() + "-as-entered");
        }
        return kind == boolean.class ? true : of(kind);
    }

    /** The last choice of a drop-down that offers the same to everyone; others keep what is entered. */
    private static Optional<String> offered(Class<?> type, String field) {
        String fill = "doFill" + Character.toUpperCase(field.charAt(0)) + field.substring(1) + "Items";
        Descriptor<?> form = Jenkins.get().getDescriptorOrDie(type.asSubclass(hudson.model.Describable.class));
        List<Method> own = Stream.of(form.getClass().getMethods())
                .filter(method -> method.getName().equals(fill))
                .toList();
        if (own.isEmpty() && form instanceof RecordDescriptor<?> byRecord) {
            return byType(byRecord, field);
        }
        return own.stream()
                .filter(method -> method.getParameterCount() == 0)
                .findFirst()
                .map(method -> last(form, method));
    }

    /** Empty for a field that is no key of the record, or whose type has any number of values. */
    private static Optional<String> byType(RecordDescriptor<?> form, String field) {
        try {
            ListBoxModel offered = form.doFillItems(field);
            return offered.size() > 1 ? Optional.of(offered.get(offered.size() - 1).value) : Optional.empty();
        } catch (HttpResponses.HttpResponseException e) {
            return Optional.empty();
        }
    }

    private static String last(Descriptor<?> form, Method fill) {
        try {
            ListBoxModel offered = (ListBoxModel) fill.invoke(form);
            return offered.get(offered.size() - 1).value;
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(fill.toString(), e);
        }
    }
}
