package io.jenkins.plugins.tao.jenkins.config;

import hudson.Extension;
import io.jenkins.plugins.tao.backend.simulated.SimulatedOptions;
import lombok.Getter;
import lombok.Setter;
import org.jenkinsci.Symbol;
import org.kohsuke.stapler.DataBoundConstructor;
import org.kohsuke.stapler.DataBoundSetter;

/** What a place that plays jobs plays for one, as a user entered it: {@code simulated(kpis: [val_mAP: 0.42], failure: 'nan')}. */
@Getter
public final class SimulatedOptionsConfiguration extends JobOptionsConfiguration {
    private static final long serialVersionUID = 1L;

    @Setter(onMethod_ = @DataBoundSetter)
    private String seed = "";

    @Setter(onMethod_ = @DataBoundSetter)
    private String queue = "";

    @Setter(onMethod_ = @DataBoundSetter)
    private String epochs = "";

    @Setter(onMethod_ = @DataBoundSetter)
    private String epochTime = "";

    @Setter(onMethod_ = @DataBoundSetter)
    private String kpis = "";

    @Setter(onMethod_ = @DataBoundSetter)
    private String noise = "";

    @Setter(onMethod_ = @DataBoundSetter)
    private String throughput = "";

    @Setter(onMethod_ = @DataBoundSetter)
    private String log = "";

    @Setter(onMethod_ = @DataBoundSetter)
    private String failure = "";

    @Setter(onMethod_ = @DataBoundSetter)
    private String failAt = "";

    @Setter(onMethod_ = @DataBoundSetter)
    private String failAttempts = "";

    @Setter(onMethod_ = @DataBoundSetter)
    private String exitCode = "";

    @Setter(onMethod_ = @DataBoundSetter)
    private String slowDown = "";

    @DataBoundConstructor
    public SimulatedOptionsConfiguration() {}

    @Override
    protected Class<SimulatedOptions> type() {
        return SimulatedOptions.class;
    }

    /** The form of these options. */
    @Extension
    @Symbol("simulated")
    public static final class DescriptorImpl extends OptionsDescriptor {}
}
