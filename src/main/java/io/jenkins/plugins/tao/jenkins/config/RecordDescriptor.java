package io.jenkins.plugins.tao.jenkins.config;

import hudson.model.Describable;
import hudson.model.Descriptor;
import hudson.model.ItemGroup;
import hudson.util.FormValidation;
import hudson.util.FormValidation.CheckMethod;
import hudson.util.ListBoxModel;
import java.lang.reflect.ParameterizedType;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.jvnet.localizer.ResourceBundleHolder;
import org.kohsuke.stapler.QueryParameter;
import org.kohsuke.stapler.StaplerRequest2;
import org.kohsuke.stapler.verb.POST;

/** Descriptor of a form whose fields have the names of a record's components: the record has their defaults, choices and checks. */
public abstract class RecordDescriptor<T extends Describable<T>> extends Descriptor<T> {
    private static final Set<String> MAKERS = Set.of("toTarget", "toRecord", "toSettings", "settings", "type");

    /** {@code SlurmTarget.displayName} of the messages for {@code SlurmTargetConfiguration}. */
    @Override
    public String getDisplayName() {
        return ResourceBundleHolder.get(Messages.class)
                .format(clazz.getSimpleName().replace("Configuration", "") + ".displayName");
    }

    /** What holds while a field is empty, in plain text; empty where nothing says it. */
    public final String defaultOf(String field) {
        return FormBinder.defaultOf(field, record());
    }

    /** Leads a drop-down without a method of its own to {@link #doFillItems}, one of credentials to {@link #doFillCredentials}. */
    @Override
    public void calcFillSettings(String field, Map<String, Object> attributes) {
        if (has("doFill" + field + "Items")) {
            super.calcFillSettings(field, attributes);
            return;
        }
        String form = getCurrentDescriptorByNameUrl() + "/" + getDescriptorUrl();
        if (isCredential(field)) {
            attributes.put("fillUrl", form + "/fillCredentials?field=" + field);
            attributes.put("fillDependsOn", field); // sends the current value
        } else {
            attributes.put("fillUrl", form + "/fillItems?field=" + field);
        }
    }

    /** Leads a field without a check of its own to {@link #doCheckField}. */
    @Override
    public CheckMethod getCheckMethod(String field) {
        return isCredential(field) || (FormBinder.has(field, record()) && isChecked(field) && !has("doCheck" + field))
                ? new FieldCheck(this, field)
                : super.getCheckMethod(field);
    }

    /** Offers the values of a field's type, and its default. */
    @POST
    public ListBoxModel doFillItems(@QueryParameter String field) {
        return Choices.of(known(field), record());
    }

    /** Offers the credentials that a field can name. */
    @POST
    public final ListBoxModel doFillCredentials(StaplerRequest2 request, @QueryParameter String field) {
        return credential(field).choices(place(request), FormText.kept(request.getParameter(field)));
    }

    /** Checks the text of the field that the rest of the path names. */
    @POST
    public final FormValidation doCheckField(StaplerRequest2 request, @QueryParameter String value) {
        permit();
        String field = FieldCheck.field(request);
        return isCredential(field)
                ? credential(field).check(place(request), FormText.kept(value))
                : check(known(field), value);
    }

    private static @Nullable ItemGroup<?> place(StaplerRequest2 request) {
        return request.findAncestorObject(ItemGroup.class);
    }

    private static boolean isCredential(String field) {
        return field.toLowerCase(Locale.ROOT).endsWith("credentialsid");
    }

    /** The kind of credential that a field names whose name ends with {@code credentialsId}. */
    CredentialKind credential(String field) {
        return CredentialKind.SECRET;
    }

    /** Stands first in each check: administrators alone may ask. The forms of jobs let all ask who see them. */
    void permit() {
        AdminForm.permit();
    }

    /** Whether the text of a field can be wrong; what is chosen from a list cannot. */
    boolean isChecked(String field) {
        return !FormBinder.isChosen(field, record());
    }

    /** What is wrong with the text of a field. */
    FormValidation check(String field, String value) {
        return FormBinder.checked(field, value, beside(field), record());
    }

    /** What a record needs to hold {@code field} alone. */
    Map<String, ?> beside(String field) {
        return Map.of();
    }

    /** Offers {@code words} for a field whose type does not name them, and its default. */
    final ListBoxModel words(String field, String... words) {
        ListBoxModel items = Choices.of(field, record());
        Arrays.stream(words).forEach(word -> items.add(word, word));
        return items;
    }

    /** The record that the form makes, by the methods that make it or name its type; no record where there is none. */
    Class<?> record() {
        return Arrays.stream(clazz.getDeclaredMethods())
                .filter(method -> MAKERS.contains(method.getName()))
                .<Class<?>>map(method -> method.getGenericReturnType() instanceof ParameterizedType named
                        ? (Class<?>) named.getActualTypeArguments()[0]
                        : method.getReturnType())
                .filter(Class::isRecord)
                .findFirst()
                .orElse(clazz);
    }

    private boolean has(String method) {
        return Arrays.stream(getClass().getMethods())
                .anyMatch(own -> own.getName().equalsIgnoreCase(method));
    }

    private String known(String field) {
        if (!FormBinder.has(field, record())) {
            throw FieldCheck.unknown();
        }
        return field;
    }
}
