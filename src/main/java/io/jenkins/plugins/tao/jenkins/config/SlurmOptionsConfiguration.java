package io.jenkins.plugins.tao.jenkins.config;

import hudson.Extension;
import io.jenkins.plugins.tao.backend.slurm.options.SlurmOptions;
import java.util.Map;
import lombok.Getter;
import lombok.Setter;
import org.jenkinsci.Symbol;
import org.kohsuke.stapler.DataBoundConstructor;
import org.kohsuke.stapler.DataBoundSetter;

/** What only Slurm understands of a job, as a user entered it: {@code slurm(partition: 'polar', account: 'x')}. */
@Getter
public final class SlurmOptionsConfiguration extends JobOptionsConfiguration {
    private static final long serialVersionUID = 1L;

    @Setter(onMethod_ = @DataBoundSetter)
    private String partition = "";

    @Setter(onMethod_ = @DataBoundSetter)
    private String account = "";

    @Setter(onMethod_ = @DataBoundSetter)
    private String qos = "";

    @Setter(onMethod_ = @DataBoundSetter)
    private String reservation = "";

    @Setter(onMethod_ = @DataBoundSetter)
    private String constraint = "";

    @Setter(onMethod_ = @DataBoundSetter)
    private String exclude = "";

    @Setter(onMethod_ = @DataBoundSetter)
    private String nodelist = "";

    @Setter(onMethod_ = @DataBoundSetter)
    private String mem = "";

    @Setter(onMethod_ = @DataBoundSetter)
    private String gpuType = "";

    @Setter(onMethod_ = @DataBoundSetter)
    private String signal = "";

    @Setter(onMethod_ = @DataBoundSetter)
    private String dependency = "";

    @Setter(onMethod_ = @DataBoundSetter)
    private String exclusive = "";

    @Setter(onMethod_ = @DataBoundSetter)
    private String requeue = "";

    @Setter(onMethod_ = @DataBoundSetter)
    private String requeueOnTimeout = "";

    @Setter(onMethod_ = @DataBoundSetter)
    private String gpuCheck = "";

    @Setter(onMethod_ = @DataBoundSetter)
    private String maxRequeues = "";

    @Setter(onMethod_ = @DataBoundSetter)
    private String containerMounts = "";

    @Setter(onMethod_ = @DataBoundSetter)
    private String timeout = "";

    @Setter(onMethod_ = @DataBoundSetter)
    private String launcher = "";

    @Setter(onMethod_ = @DataBoundSetter)
    private String modules = "";

    @Setter(onMethod_ = @DataBoundSetter)
    private String useSqsh = "";

    @Setter(onMethod_ = @DataBoundSetter)
    private String forceReconvertLatest = "";

    @Setter(onMethod_ = @DataBoundSetter)
    private String installEnrootCredentials = "";

    @Setter(onMethod_ = @DataBoundSetter)
    private String checkpointTime = "";

    @Setter(onMethod_ = @DataBoundSetter)
    private String grace = "";

    @Setter(onMethod_ = @DataBoundSetter)
    private String array = "";

    @Setter(onMethod_ = @DataBoundSetter)
    private String datasets = "";

    @Setter(onMethod_ = @DataBoundSetter)
    private String sbatch = "";

    @DataBoundConstructor
    public SlurmOptionsConfiguration() {}

    @Override
    void carry(Map<String, String> members) {
        array = members.getOrDefault("array", "");
    }

    @Override
    protected Class<SlurmOptions> type() {
        return SlurmOptions.class;
    }

    /** The form of Slurm's options. */
    @Extension
    @Symbol("slurm")
    public static final class DescriptorImpl extends OptionsDescriptor {}
}
