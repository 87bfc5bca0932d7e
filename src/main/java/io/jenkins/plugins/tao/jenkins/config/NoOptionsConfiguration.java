package io.jenkins.plugins.tao.jenkins.config;

import hudson.Extension;
import io.jenkins.plugins.tao.job.JobOptions;
import java.util.Optional;
import org.jenkinsci.Symbol;
import org.kohsuke.stapler.DataBoundConstructor;

/** The choice of no options in a form; a step keeps nothing for it. */
public final class NoOptionsConfiguration extends JobOptionsConfiguration {
    private static final long serialVersionUID = 1L;

    @DataBoundConstructor
    public NoOptionsConfiguration() {}

    @Override
    public Optional<JobOptions> toOptions() {
        return Optional.empty();
    }

    /** Comes first, so that a new form has no options. */
    @Extension(ordinal = 100)
    @Symbol("none")
    public static final class DescriptorImpl extends OptionsDescriptor {}
}
