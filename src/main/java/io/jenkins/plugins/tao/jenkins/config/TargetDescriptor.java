package io.jenkins.plugins.tao.jenkins.config;

import hudson.model.Computer;
import hudson.model.ItemGroup;
import hudson.util.FormValidation;
import io.jenkins.plugins.tao.backend.BackendTypes;
import io.jenkins.plugins.tao.backend.Report.Check;
import io.jenkins.plugins.tao.job.JobSpec;
import io.jenkins.plugins.tao.job.text.Sentences;
import io.jenkins.plugins.tao.remote.ssh.SshAddress;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jenkinsci.plugins.structs.describable.DescribableModel;
import org.jenkinsci.plugins.structs.describable.DescribableParameter;
import org.jspecify.annotations.Nullable;
import org.kohsuke.stapler.AncestorInPath;
import org.kohsuke.stapler.QueryParameter;
import org.kohsuke.stapler.StaplerRequest2;
import org.kohsuke.stapler.verb.POST;

/** What the forms of all targets check. */
public abstract class TargetDescriptor extends RecordDescriptor<TargetConfiguration> {
    /** Any image, for backends that run nothing without one; it is not pulled. */
    static final String IMAGE_TO_TEST = "ubuntu:24.04";

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    /** Checks the name of a target. As in all checks here, an empty field is no mistake yet: what must be there is asked for when the form is saved. */
    @POST
    public FormValidation doCheckName(@QueryParameter String value) {
        AdminForm.permit();
        return FormText.text(value).isEmpty() || TargetNames.isName(FormText.kept(value))
                ? FormValidation.ok()
                : FormValidation.error(Messages.Target_name());
    }

    /** Checks a directory. */
    @POST
    public FormValidation doCheckBaseDirectory(@QueryParameter String value) {
        AdminForm.permit();
        return FormText.text(value).isEmpty() || FormText.kept(value).startsWith("/")
                ? FormValidation.ok()
                : FormValidation.error(Messages.Target_baseDirectory());
    }

    /** Checks login hosts, in forms that have them. */
    @POST
    public FormValidation doCheckHosts(@QueryParameter String value) {
        return AdminForm.checked(() -> FormText.list(value).forEach(SshAddress::parse));
    }

    /** What needs several fields, or a credential, is checked when the form is saved. */
    @Override
    FormValidation check(String field, String value) {
        return FormBinder.readable(field, value, record());
    }

    @Override
    boolean isChecked(String field) {
        return FormBinder.type(field, record()) != String.class && super.isChecked(field);
    }

    /** The fields that the button of the form sends, separated by commas: all that are text. */
    public final String getFieldsToTest() {
        return String.join(",", texts());
    }

    /** Connects with what the form holds now, saved or not, and makes the checks of a job that names nothing. */
    @POST
    public FormValidation doTestConnection(@AncestorInPath @Nullable ItemGroup<?> place, StaplerRequest2 request) {
        AdminForm.permit();
        Map<String, String> form = new HashMap<>();
        texts().forEach(field ->
                Optional.ofNullable(request.getParameter(field)).ifPresent(value -> form.put(field, value)));
        try {
            TargetConfiguration target = DescribableModel.of(clazz).instantiate(form, null);
            List<Check> checks = new ConnectionTrial(BackendTypes.load(), Computer.threadPoolForRemoting, PATIENCE)
                    .of(
                            target.toTarget(place == null ? CredentialStore.ofJenkins() : CredentialStore.in(place)),
                            jobToTest());
            return FormValidation.aggregate(
                    checks.stream().map(TargetDescriptor::shown).toList());
        } catch (IllegalArgumentException e) {
            return FormValidation.error(String.valueOf(e.getMessage()));
        }
    }

    /** The job whose checks the button makes; where each needs an image, it names one. */
    JobSpec jobToTest() {
        return JobSpec.of("true").build();
    }

    private List<String> texts() {
        return DescribableModel.of(clazz).getParameters().stream()
                .filter(parameter -> parameter.getErasedType() == String.class)
                .map(DescribableParameter::getName)
                .toList();
    }

    private static FormValidation shown(Check check) {
        String text = check.name() + ": " + Sentences.join(check.detail(), check.remedy());
        return switch (check.verdict()) {
            case PASSED -> FormValidation.ok(text);
            case SKIPPED -> FormValidation.ok(Messages.Target_skipped(text));
            case WARNING -> FormValidation.warning(text);
            case FAILED -> FormValidation.error(text);
        };
    }

    static FormValidation checked(Runnable reading) {
        try {
            reading.run();
            return FormValidation.ok();
        } catch (IllegalArgumentException e) {
            return FormValidation.error(String.valueOf(e.getMessage()));
        }
    }
}
