package io.jenkins.plugins.tao.jenkins.config;

import com.cloudbees.plugins.credentials.common.StandardUsernamePasswordCredentials;
import hudson.Extension;
import hudson.model.Describable;
import hudson.util.FormValidation;
import io.jenkins.plugins.tao.job.SecretSource;
import io.jenkins.plugins.tao.tracking.MlflowServer;
import io.jenkins.plugins.tao.tracking.MlflowSettings;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import lombok.Getter;
import lombok.Setter;
import org.kohsuke.stapler.DataBoundConstructor;
import org.kohsuke.stapler.DataBoundSetter;
import org.kohsuke.stapler.QueryParameter;
import org.kohsuke.stapler.verb.POST;

/** The MLflow server that runs are logged to, as an administrator entered it; the property {@code mlflow} of the global configuration. */
@Getter
public final class MlflowConfiguration implements Describable<MlflowConfiguration> {
    private static final Duration CALL = Duration.ofMinutes(1);

    private final String address;

    @Setter(onMethod_ = @DataBoundSetter)
    private String credentialsId = "";

    @Setter(onMethod_ = @DataBoundSetter)
    private String experiment = "";

    @DataBoundConstructor
    public MlflowConfiguration(String address) {
        this.address = FormText.kept(address);
    }

    /**
     * Checks all but the credential, which may come later.
     *
     * @throws IllegalArgumentException naming the field that is wrong
     */
    void check() {
        FormBinder.bind(this, Map.of(), MlflowSettings.class);
    }

    /**
     * The server, not called yet.
     *
     * @throws IllegalArgumentException if a field is wrong, or Jenkins has no such credential
     */
    public MlflowServer server() {
        return settings(CredentialStore.ofJenkins()).server(JenkinsProxy.now(), CALL);
    }

    MlflowSettings settings(CredentialStore credentials) {
        Map<String, Object> login = new LinkedHashMap<>();
        Optional<String> id = FormText.text(credentialsId);
        if (id.isPresent()) {
            SecretSource secret = SecretSource.of(id.get(), () -> credentials.secret(id.get()));
            Optional<String> user = credentials
                    .find(id.get(), StandardUsernamePasswordCredentials.class)
                    .map(StandardUsernamePasswordCredentials::getUsername);
            user.ifPresent(name -> login.put("user", name));
            login.put(user.isPresent() ? "password" : "token", secret);
        }
        return FormBinder.bind(this, login, MlflowSettings.class);
    }

    /** The form of a server. */
    @Extension
    public static final class DescriptorImpl extends RecordDescriptor<MlflowConfiguration> {
        @Override
        Map<String, ?> beside(String field) {
            return Map.of("address", "https://mlflow.example.org");
        }

        /** Checks the address. */
        @POST
        public FormValidation doCheckAddress(@QueryParameter String value) {
            AdminForm.permit();
            return FormText.text(value).isEmpty()
                    ? FormValidation.error(Messages.Mlflow_address())
                    : FormBinder.checked("address", value, Map.of(), MlflowSettings.class);
        }
    }
}
