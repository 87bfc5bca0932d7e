package io.jenkins.plugins.tao.jenkins.config;

import hudson.Extension;
import io.jenkins.plugins.tao.backend.box.options.LocalTarget;
import java.util.List;
import java.util.Map;
import org.jenkinsci.Symbol;
import org.kohsuke.stapler.DataBoundConstructor;

/** The machine that Jenkins itself runs on, as an administrator entered it. */
public final class LocalTargetConfiguration extends BoxTargetConfiguration {
    @DataBoundConstructor
    public LocalTargetConfiguration(String name, String baseDirectory) {
        super(name, baseDirectory);
    }

    @Override
    public LocalTarget toTarget(CredentialStore credentials) {
        return FormBinder.bind(this, Map.of(), LocalTarget.class);
    }

    @Override
    protected void checkFields() {
        super.checkFields();
        if (!getBaseDirectory().isEmpty()) {
            FormBinder.checkAll(this, LocalTarget.class);
        }
    }

    @Override
    protected List<String> needed() {
        return List.of("baseDirectory");
    }

    /** The form of the machine that Jenkins runs on. */
    @Extension
    @Symbol("local")
    public static final class DescriptorImpl extends TargetDescriptor {}
}
