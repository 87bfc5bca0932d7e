package io.jenkins.plugins.tao.jenkins.config;

import hudson.Extension;
import hudson.model.Describable;
import hudson.model.Descriptor;
import hudson.util.FormValidation;
import io.jenkins.plugins.tao.backend.kubernetes.RunAs;
import java.util.OptionalLong;
import jenkins.model.Jenkins;
import org.kohsuke.stapler.DataBoundConstructor;
import org.kohsuke.stapler.DataBoundSetter;
import org.kohsuke.stapler.QueryParameter;
import org.kohsuke.stapler.verb.POST;

/** Whose processes run in a target's pods, as an administrator entered it; the property {@code securityContext}. */
public final class SecurityContextConfiguration implements Describable<SecurityContextConfiguration> {
    private String runAsUser = "";
    private String runAsGroup = "";
    private String fsGroup = "";

    @DataBoundConstructor
    public SecurityContextConfiguration() {}

    /**
     * The numbers.
     *
     * @throws IllegalArgumentException if a field is wrong
     */
    RunAs toRunAs() {
        return new RunAs(
                FormText.id("runAsUser", runAsUser),
                FormText.id("runAsGroup", runAsGroup),
                FormText.id("fsGroup", fsGroup));
    }

    public String getRunAsUser() {
        return runAsUser;
    }

    @DataBoundSetter
    public void setRunAsUser(String runAsUser) {
        this.runAsUser = FormText.kept(runAsUser);
    }

    public String getRunAsGroup() {
        return runAsGroup;
    }

    @DataBoundSetter
    public void setRunAsGroup(String runAsGroup) {
        this.runAsGroup = FormText.kept(runAsGroup);
    }

    public String getFsGroup() {
        return fsGroup;
    }

    @DataBoundSetter
    public void setFsGroup(String fsGroup) {
        this.fsGroup = FormText.kept(fsGroup);
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
            return checked(() -> new RunAs(FormText.id("runAsUser", value), NONE, NONE));
        }

        /** Checks the number of a group. */
        @POST
        public FormValidation doCheckRunAsGroup(@QueryParameter String value) {
            return checked(() -> new RunAs(NONE, FormText.id("runAsGroup", value), NONE));
        }

        /** Checks the number of a group. */
        @POST
        public FormValidation doCheckFsGroup(@QueryParameter String value) {
            return checked(() -> new RunAs(NONE, NONE, FormText.id("fsGroup", value)));
        }

        private static FormValidation checked(Runnable reading) {
            Jenkins.get().checkPermission(Jenkins.ADMINISTER);
            return TargetChoice.checked(reading);
        }
    }
}
