package io.jenkins.plugins.tao.jenkins.config;

import hudson.Extension;
import hudson.model.Describable;
import io.jenkins.plugins.tao.backend.kubernetes.options.RunAs;
import java.util.Map;
import lombok.Getter;
import lombok.Setter;
import org.kohsuke.stapler.DataBoundConstructor;
import org.kohsuke.stapler.DataBoundSetter;

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
    public static final class DescriptorImpl extends RecordDescriptor<SecurityContextConfiguration> {}
}
