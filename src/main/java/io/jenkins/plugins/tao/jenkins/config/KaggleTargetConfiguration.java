package io.jenkins.plugins.tao.jenkins.config;

import com.cloudbees.plugins.credentials.common.StandardUsernamePasswordCredentials;
import hudson.Extension;
import hudson.util.FormValidation;
import io.jenkins.plugins.tao.backend.notebook.KaggleTarget;
import io.jenkins.plugins.tao.job.Secret;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import lombok.Getter;
import lombok.Setter;
import org.jenkinsci.Symbol;
import org.kohsuke.stapler.DataBoundConstructor;
import org.kohsuke.stapler.DataBoundSetter;
import org.kohsuke.stapler.QueryParameter;
import org.kohsuke.stapler.verb.POST;

/** A Kaggle account, as an administrator entered it. */
@Getter
public final class KaggleTargetConfiguration extends TargetConfiguration {
    private final String credentialsId;

    @Setter(onMethod_ = @DataBoundSetter)
    private String username = "";

    @Setter(onMethod_ = @DataBoundSetter)
    private String url = "";

    @Setter(onMethod_ = @DataBoundSetter)
    private String accelerator = "";

    @Setter(onMethod_ = @DataBoundSetter)
    private String internet = "";

    @Setter(onMethod_ = @DataBoundSetter)
    private String gpuSession = "";

    @Setter(onMethod_ = @DataBoundSetter)
    private String cpuSession = "";

    @DataBoundConstructor
    public KaggleTargetConfiguration(String name, String credentialsId) {
        super(name);
        this.credentialsId = FormText.kept(credentialsId);
    }

    /** A username with password is the key of {@code kaggle.json}; a secret text is a token. */
    @Override
    public KaggleTarget toTarget(CredentialStore credentials) {
        Optional<StandardUsernamePasswordCredentials> key =
                credentials.find(credentialsId, StandardUsernamePasswordCredentials.class);
        Secret value = credentials.secret(credentialsId);
        String user = FormText.text(username)
                .or(() -> key.map(StandardUsernamePasswordCredentials::getUsername))
                .orElseThrow(() -> new IllegalArgumentException(Messages.Kaggle_username()));
        return FormBinder.bind(
                this,
                Map.of(
                        "username",
                        user,
                        "key",
                        key.map(both -> value),
                        "token",
                        key.isPresent() ? Optional.empty() : Optional.of(value),
                        "proxy",
                        JenkinsProxy.now()),
                KaggleTarget.class);
    }

    @Override
    protected List<String> needed() {
        return List.of("credentialsId");
    }

    /** The form of a Kaggle account. */
    @Extension
    @Symbol("kaggle")
    public static final class DescriptorImpl extends TargetDescriptor {
        /** Checks the address of the API. */
        @POST
        public FormValidation doCheckUrl(@QueryParameter String value) {
            AdminForm.permit();
            return FormText.text(value).isEmpty() || FormText.kept(value).startsWith("https://")
                    ? FormValidation.ok()
                    : FormValidation.error(Messages.Kaggle_url());
        }
    }
}
