package io.jenkins.plugins.tao.jenkins.config;

import hudson.Extension;
import hudson.model.Describable;
import hudson.model.Descriptor;
import hudson.util.FormValidation;
import io.jenkins.plugins.tao.backend.kubernetes.options.RunAs;
import java.util.Map;
import java.util.OptionalLong;
import lombok.Getter;
import lombok.Setter;
import org.kohsuke.stapler.DataBoundConstructor;
import org.kohsuke.stapler.DataBoundSetter;
import org.kohsuke.stapler.QueryParameter;
import org.kohsuke.stapler.verb.POST;

/** Whose processes run in a target's pods, as an administrator entered it; the property {@code securityContext}. */
@Getter
public final class SecurityContextConfiguration implements Describable<SecurityContextConfiguration>, FormBinder.Part {
    @Setter(onMethod_ = @DataBoundSetter)
    private String runAsUser = "";

    @Setter(onMethod_ = @DataBoundSetter)
    private String runAsGroup = "";

    @Setter(onMethod_ = @DataBoundSetter)
    private String fsGroup = "";

    @DataBoundConstructor
    public SecurityContextConfiguration() {}

    @Override
    public RunAs toRecord() {
        return FormBinder.bind(this, Map.of(), RunAs.class);
    }

    /** The form of a security context. */
    @Extension
    public static final class DescriptorImpl extends Descriptor<SecurityContextConfiguration> {
        private static final OptionalLong NONE = OptionalLong.empty();

        @Override
        public String getDisplayName() {
            return Messages.SecurityContext_displayName();
        }

        /** Checks the number of a user. */
        @POST
        public FormValidation doCheckRunAsUser(@QueryParameter String value) {
            return AdminForm.checked(() -> new RunAs(FormText.id("runAsUser", value), NONE, NONE));
        }

        /** Checks the number of a group. */
        @POST
        public FormValidation doCheckRunAsGroup(@QueryParameter String value) {
            return AdminForm.checked(() -> new RunAs(NONE, FormText.id("runAsGroup", value), NONE));
        }

        /** Checks the number of a group. */
        @POST
        public FormValidation doCheckFsGroup(@QueryParameter String value) {
            return AdminForm.checked(() -> new RunAs(NONE, NONE, FormText.id("fsGroup", value)));
        }
    }
}
