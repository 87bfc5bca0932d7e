package io.jenkins.plugins.tao.jenkins.config;

import hudson.Extension;
import io.jenkins.plugins.tao.backend.box.options.BoxOptions;
import lombok.Getter;
import lombok.Setter;
import org.jenkinsci.Symbol;
import org.kohsuke.stapler.DataBoundConstructor;
import org.kohsuke.stapler.DataBoundSetter;

/** What only a machine without a scheduler understands of a job, as a user entered it: {@code ssh(onReboot: 'fail')}. */
@Getter
public final class SshOptionsConfiguration extends JobOptionsConfiguration {
    private static final long serialVersionUID = 1L;

    @Setter(onMethod_ = @DataBoundSetter)
    private String grace = "";

    @Setter(onMethod_ = @DataBoundSetter)
    private String onReboot = "";

    @Setter(onMethod_ = @DataBoundSetter)
    private String whenBusy = "";

    @Setter(onMethod_ = @DataBoundSetter)
    private String gpuCheck = "";

    @Setter(onMethod_ = @DataBoundSetter)
    private String detach = "";

    @Setter(onMethod_ = @DataBoundSetter)
    private String shmSize = "";

    @Setter(onMethod_ = @DataBoundSetter)
    private String containerArgs = "";

    @Setter(onMethod_ = @DataBoundSetter)
    private String smoke = "";

    @Setter(onMethod_ = @DataBoundSetter)
    private String downloads = "";

    @Setter(onMethod_ = @DataBoundSetter)
    private String packages = "";

    @Setter(onMethod_ = @DataBoundSetter)
    private String code = "";

    @Setter(onMethod_ = @DataBoundSetter)
    private String checkpointCost = "";

    @Setter(onMethod_ = @DataBoundSetter)
    private String cleanScratch = "";

    @DataBoundConstructor
    public SshOptionsConfiguration() {}

    @Override
    protected Class<BoxOptions> type() {
        return BoxOptions.class;
    }

    /** The form of these options. */
    @Extension
    @Symbol({"ssh", "local"})
    public static final class DescriptorImpl extends OptionsDescriptor {}
}
