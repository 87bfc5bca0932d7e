package io.jenkins.plugins.tao.jenkins.config;

import hudson.Extension;
import hudson.util.ListBoxModel;
import io.jenkins.plugins.tao.backend.lepton.options.LeptonOptions;
import lombok.Getter;
import lombok.Setter;
import org.jenkinsci.Symbol;
import org.kohsuke.stapler.DataBoundConstructor;
import org.kohsuke.stapler.DataBoundSetter;
import org.kohsuke.stapler.verb.POST;

/** What only Lepton understands of a job, as a user entered it: {@code lepton(nodeGroup: 'h100', mounts: '…')}. */
@Getter
public final class LeptonOptionsConfiguration extends JobOptionsConfiguration {
    private static final long serialVersionUID = 1L;

    @Setter(onMethod_ = @DataBoundSetter)
    private String resourceShape = "";

    @Setter(onMethod_ = @DataBoundSetter)
    private String nodeGroup = "";

    @Setter(onMethod_ = @DataBoundSetter)
    private String nodes = "";

    @Setter(onMethod_ = @DataBoundSetter)
    private String mounts = "";

    @Setter(onMethod_ = @DataBoundSetter)
    private String sharedMemory = "";

    @Setter(onMethod_ = @DataBoundSetter)
    private String archiveAfter = "";

    @Setter(onMethod_ = @DataBoundSetter)
    private String visibility = "";

    @Setter(onMethod_ = @DataBoundSetter)
    private String priority = "";

    @Setter(onMethod_ = @DataBoundSetter)
    private String canBePreempted = "";

    @Setter(onMethod_ = @DataBoundSetter)
    private String canPreempt = "";

    @Setter(onMethod_ = @DataBoundSetter)
    private String reservation = "";

    @Setter(onMethod_ = @DataBoundSetter)
    private String secretRefs = "";

    @Setter(onMethod_ = @DataBoundSetter)
    private String patch = "";

    @DataBoundConstructor
    public LeptonOptionsConfiguration() {}

    @Override
    protected Class<LeptonOptions> type() {
        return LeptonOptions.class;
    }

    /** The form of Lepton's options. */
    @Extension
    @Symbol("lepton")
    public static final class DescriptorImpl extends OptionsDescriptor {
        /** Offers private, public and the default. */
        @POST
        public ListBoxModel doFillVisibilityItems() {
            return words("visibility", "private", "public");
        }

        /** Offers Lepton's priorities. */
        @POST
        public ListBoxModel doFillPriorityItems() {
            return words("priority", LeptonOptions.PRIORITIES.toArray(String[]::new));
        }
    }
}
