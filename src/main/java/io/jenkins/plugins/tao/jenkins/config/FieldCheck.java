package io.jenkins.plugins.tao.jenkins.config;

import hudson.model.Descriptor;
import hudson.util.FormValidation;
import hudson.util.FormValidation.CheckMethod;
import java.util.Map;
import java.util.function.Consumer;
import org.kohsuke.stapler.HttpResponses;
import org.kohsuke.stapler.HttpResponses.HttpResponseException;
import org.kohsuke.stapler.StaplerRequest2;

/** The check of one field by the form's method for all fields, {@code doCheckField}, which finds its name in the rest of the path. */
public final class FieldCheck extends CheckMethod {
    private static final int NOT_FOUND = 404;

    private final Descriptor<?> form;
    private final String field;

    public FieldCheck(Descriptor<?> form, String field) {
        super(form, field);
        this.form = form;
        this.field = field;
    }

    @Override
    public String toStemUrl() {
        return Descriptor.getCurrentDescriptorByNameUrl() + "/" + form.getDescriptorUrl() + "/checkField/" + field;
    }

    @Override
    public String getDependsOn() {
        return "";
    }

    /** The name of the field that is asked for. */
    static String field(StaplerRequest2 request) {
        return request.getRestOfPath().replaceFirst("^/", "");
    }

    /** What a form answers of a field that it does not have. */
    static HttpResponseException unknown() {
        return HttpResponses.errorWithoutStack(NOT_FOUND, "This form has no such field.");
    }

    /** What the reading of the field that is asked for says of a text; a reading knows nothing else, so that all who see the form may ask. */
    public static FormValidation checked(
            Map<String, Consumer<String>> readings, StaplerRequest2 request, String value) {
        Consumer<String> reading = readings.get(field(request));
        if (reading == null) {
            throw unknown();
        }
        return TargetDescriptor.checked(() -> reading.accept(value));
    }
}
