package io.jenkins.plugins.tao.jenkins.config;

import hudson.Extension;
import hudson.model.Describable;
import io.jenkins.plugins.tao.backend.kubernetes.options.PodShape;
import java.io.Serializable;
import java.util.Map;
import lombok.Getter;
import lombok.Setter;
import org.kohsuke.stapler.DataBoundConstructor;
import org.kohsuke.stapler.DataBoundSetter;

/** What else the pods of a job have, as a user entered it; the property {@code pod} of {@code kubernetes(…)}. */
@Getter
public final class PodShapeConfiguration implements Describable<PodShapeConfiguration>, FormBinder.Part, Serializable {
    private static final long serialVersionUID = 1L;

    @Setter(onMethod_ = @DataBoundSetter)
    private String resources = "";

    @Setter(onMethod_ = @DataBoundSetter)
    private String capabilities = "";

    @Setter(onMethod_ = @DataBoundSetter)
    private String runtimeClass = "";

    @Setter(onMethod_ = @DataBoundSetter)
    private String hostNetwork = "";

    @Setter(onMethod_ = @DataBoundSetter)
    private String apiToken = "";

    @Setter(onMethod_ = @DataBoundSetter)
    private String secretEnv = "";

    @Setter(onMethod_ = @DataBoundSetter)
    private String patch = "";

    @DataBoundConstructor
    public PodShapeConfiguration() {}

    @Override
    public PodShape toRecord() {
        return FormBinder.bind(this, Map.of(), PodShape.class);
    }

    /** The form of a pod's shape. */
    @Extension
    public static final class DescriptorImpl extends RecordDescriptor<PodShapeConfiguration> {
        @Override
        void permit() {
            // checks read a text alone: all who see the form may ask
        }
    }
}
