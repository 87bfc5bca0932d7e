package io.jenkins.plugins.tao.jenkins.config;

import hudson.model.Describable;
import hudson.model.Descriptor;
import hudson.util.ListBoxModel;
import java.lang.reflect.ParameterizedType;
import java.util.Arrays;
import java.util.Map;
import org.kohsuke.stapler.QueryParameter;
import org.kohsuke.stapler.verb.POST;

/** Descriptor of a form whose fields have the names of a record's components: the record has their defaults and choices. */
public abstract class RecordDescriptor<T extends Describable<T>> extends Descriptor<T> {
    /** What holds while a field is empty, in plain text; empty where nothing says it. */
    public final String defaultOf(String field) {
        return FormBinder.defaultOf(field, record());
    }

    /** Leads a drop-down without a method of its own to {@link #doFillItems}. */
    @Override
    public void calcFillSettings(String field, Map<String, Object> attributes) {
        String own = "doFill" + field + "Items";
        if (Arrays.stream(getClass().getMethods())
                .anyMatch(method -> method.getName().equalsIgnoreCase(own))) {
            super.calcFillSettings(field, attributes);
        } else {
            attributes.put(
                    "fillUrl",
                    getCurrentDescriptorByNameUrl() + "/" + getDescriptorUrl() + "/fillItems?field=" + field);
        }
    }

    /** Offers the values of a field's type, and its default. */
    @POST
    public ListBoxModel doFillItems(@QueryParameter String field) {
        return Choices.of(field, record());
    }

    /** The record that the form makes. */
    final Class<?> record() {
        return Arrays.stream(clazz.getDeclaredMethods())
                .filter(method -> method.getName().equals("type"))
                .map(method -> (ParameterizedType) method.getGenericReturnType())
                .map(type -> (Class<?>) type.getActualTypeArguments()[0])
                .findFirst()
                .orElseThrow();
    }
}
