package io.jenkins.plugins.tao.jenkins.config;

import com.cloudbees.plugins.credentials.common.StandardUsernamePasswordCredentials;
import hudson.Extension;
import hudson.model.Describable;
import io.jenkins.plugins.tao.job.Secret;
import io.jenkins.plugins.tao.job.SecretSource;
import io.jenkins.plugins.tao.payload.S3Settings;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import lombok.Getter;
import lombok.Setter;
import org.kohsuke.stapler.DataBoundConstructor;
import org.kohsuke.stapler.DataBoundSetter;

/** The S3 storage of a target, as an administrator entered it; the property {@code s3} of targets that can use one. */
@Getter
public final class S3Configuration implements Describable<S3Configuration> {
    private final String credentialsId;

    @Setter(onMethod_ = @DataBoundSetter)
    private String endpoint = "";

    @Setter(onMethod_ = @DataBoundSetter)
    private String region = "";

    @Setter(onMethod_ = @DataBoundSetter)
    private String bucket = "";

    @Setter(onMethod_ = @DataBoundSetter)
    private String uploadEvery = "";

    @Setter(onMethod_ = @DataBoundSetter)
    private String exclude = "";

    @DataBoundConstructor
    public S3Configuration(String credentialsId) {
        this.credentialsId = FormText.kept(credentialsId);
    }

    /**
     * The settings; their keys are looked up only for jobs that use S3.
     *
     * @throws IllegalArgumentException if a field is wrong
     */
    public S3Settings toSettings(CredentialStore credentials) {
        if (credentialsId.isBlank()) { // keys by role
            return FormBinder.bind(this, Map.of(), S3Settings.class);
        }
        return FormBinder.bind(
                this,
                Map.of(
                        "accessKey", source(credentials, "user", StandardUsernamePasswordCredentials::getUsername),
                        "secretKey",
                                source(
                                        credentials,
                                        "password",
                                        keys -> keys.getPassword().getPlainText())),
                S3Settings.class);
    }

    /** What of the keys must not be shown: the secret key, and the access key where its credential says so. */
    List<Secret> hidden(CredentialStore credentials) {
        return credentials
                .find(credentialsId, StandardUsernamePasswordCredentials.class)
                .map(keys -> {
                    Secret secretKey = Secret.of(keys.getPassword().getPlainText());
                    return keys.isUsernameSecret()
                            ? List.of(Secret.of(keys.getUsername()), secretKey)
                            : List.of(secretKey);
                })
                .orElse(List.of());
    }

    private SecretSource source(
            CredentialStore credentials, String half, Function<StandardUsernamePasswordCredentials, String> value) {
        // what an expression such as ${S3} finds differs from build to build
        Object reach = credentialsId.contains("$") ? new Object() : credentials.reach();
        return SecretSource.of(
                List.of(credentialsId, half, reach),
                () -> Secret.of(value.apply(credentials
                        .find(credentialsId, StandardUsernamePasswordCredentials.class)
                        .orElseThrow(() -> credentials.missing(credentialsId, CredentialKind.KEYS.words())))));
    }

    /** The form of a storage. */
    @Extension
    public static final class DescriptorImpl extends RecordDescriptor<S3Configuration> {
        @Override
        CredentialKind credential(String field) {
            return CredentialKind.KEYS;
        }
    }
}
