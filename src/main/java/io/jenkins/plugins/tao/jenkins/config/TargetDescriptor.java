package io.jenkins.plugins.tao.jenkins.config;

import hudson.model.Descriptor;
import hudson.util.FormValidation;
import jenkins.model.Jenkins;
import org.kohsuke.stapler.QueryParameter;
import org.kohsuke.stapler.verb.POST;

/** What the forms of all targets check. */
public abstract class TargetDescriptor extends Descriptor<TargetConfiguration> {
    /** Checks the name of a target. */
    @POST
    public FormValidation doCheckName(@QueryParameter String value) {
        Jenkins.get().checkPermission(Jenkins.ADMINISTER);
        return FormText.kept(value).matches("[A-Za-z0-9._-]+")
                ? FormValidation.ok()
                : FormValidation.error(Messages.Target_name());
    }

    /** Checks a directory. */
    @POST
    public FormValidation doCheckBaseDirectory(@QueryParameter String value) {
        Jenkins.get().checkPermission(Jenkins.ADMINISTER);
        return FormText.kept(value).startsWith("/")
                ? FormValidation.ok()
                : FormValidation.error(Messages.Target_baseDirectory());
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
