package io.jenkins.plugins.tao.jenkins.config;

import hudson.Extension;
import io.jenkins.plugins.tao.backend.notebook.ColabTarget;
import org.jenkinsci.Symbol;
import org.kohsuke.stapler.DataBoundConstructor;

/** Google Colab, where nothing can start a job: each submission is refused with what to use instead. */
public final class ColabTargetConfiguration extends TargetConfiguration {
    @DataBoundConstructor
    public ColabTargetConfiguration(String name) {
        super(name);
    }

    @Override
    public ColabTarget toTarget(CredentialStore credentials) {
        return new ColabTarget(getName());
    }

    @Override
    protected Class<ColabTarget> type() {
        return ColabTarget.class;
    }

    /** The form of Colab. */
    @Extension
    @Symbol("colab")
    public static final class DescriptorImpl extends TargetDescriptor {
        @Override
        public String getDisplayName() {
            return Messages.Colab_displayName();
        }
    }
}
