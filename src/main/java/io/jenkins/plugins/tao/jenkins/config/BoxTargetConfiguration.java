package io.jenkins.plugins.tao.jenkins.config;

import io.jenkins.plugins.tao.backend.box.options.BoxSettings;
import java.util.Map;
import lombok.Getter;
import lombok.Setter;
import org.kohsuke.stapler.DataBoundSetter;

/** What an administrator enters of any machine without a scheduler, reached by SSH or this one. */
@Getter
public abstract class BoxTargetConfiguration extends TargetConfiguration {
    private final String baseDirectory;

    @Setter(onMethod_ = @DataBoundSetter)
    private String dataDirectory = "";

    @Setter(onMethod_ = @DataBoundSetter)
    private String durableDirectory = "";

    @Setter(onMethod_ = @DataBoundSetter)
    private String scratchDirectory = "";

    @Setter(onMethod_ = @DataBoundSetter)
    private String hfHome = "";

    @Setter(onMethod_ = @DataBoundSetter)
    private String credentialFile = "";

    @Setter(onMethod_ = @DataBoundSetter)
    private String hfEndpoint = "";

    @Setter(onMethod_ = @DataBoundSetter)
    private String hfTransfer = "";

    @Setter(onMethod_ = @DataBoundSetter)
    private String proxyHook = "";

    @Setter(onMethod_ = @DataBoundSetter)
    private String downloadStall = "";

    @Setter(onMethod_ = @DataBoundSetter)
    private String lease = "";

    @Setter(onMethod_ = @DataBoundSetter)
    private String runtime = "";

    @Setter(onMethod_ = @DataBoundSetter)
    private String detach = "";

    @Setter(onMethod_ = @DataBoundSetter)
    private String maxJobs = "";

    @Setter(onMethod_ = @DataBoundSetter)
    private String leastDiskGib = "";

    @Setter(onMethod_ = @DataBoundSetter)
    private String leastInodes = "";

    @Setter(onMethod_ = @DataBoundSetter)
    private String meanUptime = "";

    @Setter(onMethod_ = @DataBoundSetter)
    private String containerMounts = "";

    @Setter(onMethod_ = @DataBoundSetter)
    private String stopCommand = "";

    protected BoxTargetConfiguration(String name, String baseDirectory) {
        super(name);
        this.baseDirectory = FormText.kept(baseDirectory);
    }

    @Override
    protected void checkFields() {
        super.checkFields();
        FormBinder.bind(this, Map.of(), BoxSettings.class);
    }
}
