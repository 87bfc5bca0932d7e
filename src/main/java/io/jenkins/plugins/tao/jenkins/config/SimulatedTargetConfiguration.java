package io.jenkins.plugins.tao.jenkins.config;

import hudson.Extension;
import io.jenkins.plugins.tao.backend.simulated.SimulatedTarget;
import java.util.List;
import java.util.Map;
import lombok.Getter;
import lombok.Setter;
import org.jenkinsci.Symbol;
import org.kohsuke.stapler.DataBoundConstructor;
import org.kohsuke.stapler.DataBoundSetter;

/** A place that plays jobs in seconds and runs none of their commands. */
@Getter
public final class SimulatedTargetConfiguration extends TargetConfiguration {
    private final String baseDirectory;

    @Setter(onMethod_ = @DataBoundSetter)
    private String speed = "";

    @Setter(onMethod_ = @DataBoundSetter)
    private String nodes = "";

    @Setter(onMethod_ = @DataBoundSetter)
    private String seed = "";

    @Setter(onMethod_ = @DataBoundSetter)
    private String avoidFailedNodesFor = "";

    @DataBoundConstructor
    public SimulatedTargetConfiguration(String name, String baseDirectory) {
        super(name);
        this.baseDirectory = FormText.kept(baseDirectory);
    }

    @Override
    public SimulatedTarget toTarget(CredentialStore credentials) {
        return FormBinder.bind(this, Map.of(), SimulatedTarget.class);
    }

    @Override
    protected void checkFields() {
        super.checkFields();
        if (!baseDirectory.isEmpty()) {
            FormBinder.checkAll(this, SimulatedTarget.class);
        }
    }

    @Override
    protected List<String> needed() {
        return List.of("baseDirectory");
    }

    /** The form of a place that plays jobs. */
    @Extension
    @Symbol("simulated")
    public static final class DescriptorImpl extends TargetDescriptor {}
}
