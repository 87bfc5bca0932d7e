package io.jenkins.plugins.tao.jenkins.config;

import hudson.Extension;
import io.jenkins.plugins.tao.backend.notebook.KaggleOptions;
import java.util.Map;
import java.util.Optional;
import lombok.Getter;
import lombok.Setter;
import org.jenkinsci.Symbol;
import org.kohsuke.stapler.DataBoundConstructor;
import org.kohsuke.stapler.DataBoundSetter;

/** What only Kaggle understands of a job, as a user entered it: {@code kaggle(git: 'https://…', sessions: '3')}. */
@Getter
public final class KaggleOptionsConfiguration extends JobOptionsConfiguration {
    private static final long serialVersionUID = 1L;

    @Setter(onMethod_ = @DataBoundSetter)
    private String accelerator = "";

    @Setter(onMethod_ = @DataBoundSetter)
    private String internet = "";

    @Setter(onMethod_ = @DataBoundSetter)
    private String git = "";

    @Setter(onMethod_ = @DataBoundSetter)
    private String revision = "";

    @Setter(onMethod_ = @DataBoundSetter)
    private String codeDataset = "";

    @Setter(onMethod_ = @DataBoundSetter)
    private String datasets = "";

    @Setter(onMethod_ = @DataBoundSetter)
    private String competitions = "";

    @Setter(onMethod_ = @DataBoundSetter)
    private String kernels = "";

    @Setter(onMethod_ = @DataBoundSetter)
    private String models = "";

    @Setter(onMethod_ = @DataBoundSetter)
    private String resumeFrom = "";

    @Setter(onMethod_ = @DataBoundSetter)
    private String secretsDataset = "";

    @Setter(onMethod_ = @DataBoundSetter)
    private String sessions = "";

    @Setter(onMethod_ = @DataBoundSetter)
    private String onCancel = "";

    @Setter(onMethod_ = @DataBoundSetter)
    private String dockerImage = "";

    @DataBoundConstructor
    public KaggleOptionsConfiguration() {}

    @Override
    protected Class<KaggleOptions> type() {
        return KaggleOptions.class;
    }

    /** The form of these options. */
    @Extension
    @Symbol("kaggle")
    public static final class DescriptorImpl extends OptionsDescriptor {
        @Override
        Map<String, ?> beside(String field) {
            return field.equals("revision") ? Map.of("git", Optional.of("https://git.example/code.git")) : Map.of();
        }
    }
}
