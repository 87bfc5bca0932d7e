package io.jenkins.plugins.tao.jenkins.config;

import com.cloudbees.plugins.credentials.common.StandardUsernamePasswordCredentials;
import hudson.Extension;
import hudson.model.Describable;
import hudson.model.Descriptor;
import hudson.util.FormValidation;
import hudson.util.ListBoxModel;
import io.jenkins.plugins.tao.job.Secret;
import io.jenkins.plugins.tao.job.SecretSource;
import io.jenkins.plugins.tao.payload.S3Address;
import io.jenkins.plugins.tao.payload.S3Settings;
import java.util.List;
import java.util.function.Function;
import jenkins.model.Jenkins;
import org.kohsuke.stapler.DataBoundConstructor;
import org.kohsuke.stapler.DataBoundSetter;
import org.kohsuke.stapler.QueryParameter;
import org.kohsuke.stapler.verb.POST;

/** The S3 storage of a target, as an administrator entered it; the property {@code s3} of targets that can use one. */
public final class S3Configuration implements Describable<S3Configuration> {
    private final String credentialsId;
    private String endpoint = "";
    private String region = "";
    private String bucket = "";
    private String uploadEvery = "";
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
        return new S3Settings(
                FormText.text(endpoint),
                FormText.text(region),
                FormText.text(bucket),
                source(credentials, "user", StandardUsernamePasswordCredentials::getUsername),
                source(credentials, "password", keys -> keys.getPassword().getPlainText()),
                FormText.duration("uploadEvery", uploadEvery),
                FormText.list(exclude));
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
                        .orElseThrow(() -> new IllegalArgumentException("There is no credential '" + credentialsId
                                + "' that this build may use for S3. Create it as a 'Username with password': the access key"
                                + " and the secret key")))));
    }

    public String getCredentialsId() {
        return credentialsId;
    }

    public String getEndpoint() {
        return endpoint;
    }

    @DataBoundSetter
    public void setEndpoint(String endpoint) {
        this.endpoint = FormText.kept(endpoint);
    }

    public String getRegion() {
        return region;
    }

    @DataBoundSetter
    public void setRegion(String region) {
        this.region = FormText.kept(region);
    }

    public String getBucket() {
        return bucket;
    }

    @DataBoundSetter
    public void setBucket(String bucket) {
        this.bucket = FormText.kept(bucket);
    }

    public String getUploadEvery() {
        return uploadEvery;
    }

    @DataBoundSetter
    public void setUploadEvery(String uploadEvery) {
        this.uploadEvery = FormText.kept(uploadEvery);
    }

    public String getExclude() {
        return exclude;
    }

    @DataBoundSetter
    public void setExclude(String exclude) {
        this.exclude = FormText.kept(exclude);
    }

    /** The form of a storage. */
    @Extension
    public static final class DescriptorImpl extends Descriptor<S3Configuration> {
        @Override
        public String getDisplayName() {
            return Messages.S3_displayName();
        }

        /** Offers the pairs of keys that Jenkins itself has; a job may use one of its folder by the same id. */
        @POST
        public ListBoxModel doFillCredentialsIdItems(@QueryParameter String credentialsId) {
            return CredentialChoices.of(credentialsId, StandardUsernamePasswordCredentials.class);
        }

        /** Checks the name of the bucket. */
        @POST
        public FormValidation doCheckBucket(@QueryParameter String value) {
            Jenkins.get().checkPermission(Jenkins.ADMINISTER);
            return TargetChoice.checked(() -> FormText.text(value).ifPresent(name -> new S3Address(name, "")));
        }

        /** Checks a length of time. */
        @POST
        public FormValidation doCheckUploadEvery(@QueryParameter String value) {
            Jenkins.get().checkPermission(Jenkins.ADMINISTER);
            return TargetChoice.checked(() -> FormText.duration("uploadEvery", value));
        }
    }
}
