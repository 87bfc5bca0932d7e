package io.jenkins.plugins.tao.jenkins.config;

import hudson.Extension;
import hudson.model.Describable;
import hudson.util.FormValidation;
import io.jenkins.plugins.tao.backend.slurm.options.SlurmRest;
import io.jenkins.plugins.tao.job.SecretSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import lombok.Getter;
import lombok.Setter;
import org.kohsuke.stapler.DataBoundConstructor;
import org.kohsuke.stapler.DataBoundSetter;
import org.kohsuke.stapler.QueryParameter;
import org.kohsuke.stapler.verb.POST;

/** A cluster's slurmrestd, as an administrator entered it; the property {@code rest} of a Slurm target. */
@Getter
public final class SlurmRestConfiguration implements Describable<SlurmRestConfiguration> {
    private final String url;
    private final String user;
    private final String tokenCredentialsId;

    @Setter(onMethod_ = @DataBoundSetter)
    private String plainText = "";

    @DataBoundConstructor
    public SlurmRestConfiguration(String url, String user, String tokenCredentialsId) {
        this.url = FormText.kept(url);
        this.user = FormText.kept(user);
        this.tokenCredentialsId = FormText.kept(tokenCredentialsId);
    }

    /**
     * The settings; the token is looked up for each request, so that a renewed one counts at once.
     *
     * @throws IllegalArgumentException if a field is wrong
     */
    SlurmRest toSettings(CredentialStore credentials) {
        // what an expression such as ${TOKEN} finds differs from build to build
        Object reach = tokenCredentialsId.contains("$") ? new Object() : credentials.reach();
        SecretSource token =
                SecretSource.of(List.of(tokenCredentialsId, reach), () -> credentials.secret(tokenCredentialsId));
        return FormBinder.bind(this, Map.of("token", token), SlurmRest.class);
    }

    /** The form of a slurmrestd. */
    @Extension
    public static final class DescriptorImpl extends RecordDescriptor<SlurmRestConfiguration> {
        @Override
        boolean isChecked(String field) {
            return false;
        }

        /** Checks the address. */
        @POST
        public FormValidation doCheckUrl(@QueryParameter String value, @QueryParameter String plainText) {
            AdminForm.permit();
            SecretSource none = SecretSource.of(value, () -> {
                throw new IllegalArgumentException("a check of an address needs no token");
            });
            Optional<Boolean> plain = Optional.of("true".equals(plainText));
            return FormText.text(value).isEmpty()
                    ? FormValidation.ok()
                    : TargetDescriptor.checked(() -> new SlurmRest(FormText.kept(value), "user", none, plain));
        }
    }
}
