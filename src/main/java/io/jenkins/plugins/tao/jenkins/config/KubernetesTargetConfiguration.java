package io.jenkins.plugins.tao.jenkins.config;

import hudson.Extension;
import hudson.util.FormValidation;
import io.jenkins.plugins.tao.backend.kubernetes.options.Kubeconfig;
import io.jenkins.plugins.tao.backend.kubernetes.options.KubernetesTarget;
import io.jenkins.plugins.tao.job.JobSpec;
import io.jenkins.plugins.tao.job.Secret;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import lombok.Getter;
import lombok.Setter;
import org.jenkinsci.Symbol;
import org.jspecify.annotations.Nullable;
import org.kohsuke.stapler.DataBoundConstructor;
import org.kohsuke.stapler.DataBoundSetter;

/** A namespace of a Kubernetes cluster, as an administrator entered it. */
@Getter
public final class KubernetesTargetConfiguration extends TargetConfiguration {
    @Setter(onMethod_ = @DataBoundSetter)
    private String kubeconfigCredentialsId = "";

    @Setter(onMethod_ = @DataBoundSetter)
    private String kubeconfigPath = "";

    @Setter(onMethod_ = @DataBoundSetter)
    private String context = "";

    @Setter(onMethod_ = @DataBoundSetter)
    private String server = "";

    @Setter(onMethod_ = @DataBoundSetter)
    private String tokenCredentialsId = "";

    @Setter(onMethod_ = @DataBoundSetter)
    private String caCertificate = "";

    @Setter(onMethod_ = @DataBoundSetter)
    private String trustKubeconfig = "";

    @Setter(onMethod_ = @DataBoundSetter)
    private String plainText = "";

    @Setter(onMethod_ = @DataBoundSetter)
    private String namespace = "";

    @Setter(onMethod_ = @DataBoundSetter)
    private String managedNodes = "";

    @Setter(onMethod_ = @DataBoundSetter)
    private String resultsRoot = "";

    @Setter(onMethod_ = @DataBoundSetter)
    private String volumes = "";

    @Setter(onMethod_ = @DataBoundSetter)
    private String imagePullSecret = "";

    @Setter(onMethod_ = @DataBoundSetter)
    private String nodeSelector = "";

    @Setter(onMethod_ = @DataBoundSetter)
    private String tolerations = "";

    @Setter(onMethod_ = @DataBoundSetter)
    private String serviceAccount = "";

    @Setter(onMethod_ = @DataBoundSetter)
    private String queue = "";

    @Setter(onMethod_ = @DataBoundSetter)
    private String podSecurity = "";

    @Setter(onMethod_ = @DataBoundSetter)
    private @Nullable SecurityContextConfiguration securityContext;

    @Setter(onMethod_ = @DataBoundSetter)
    private @Nullable S3Configuration s3;

    @Setter(onMethod_ = @DataBoundSetter)
    private String fetchFromVolume = "";

    @Setter(onMethod_ = @DataBoundSetter)
    private String fetchImage = "";

    @Setter(onMethod_ = @DataBoundSetter)
    private String avoidFailedNodesFor = "";

    @DataBoundConstructor
    public KubernetesTargetConfiguration(String name) {
        super(name);
    }

    @Override
    public KubernetesTarget toTarget(CredentialStore credentials) {
        Optional<Kubeconfig> file = FormText.text(kubeconfigPath).map(path -> Kubeconfig.ofFile(Path.of(path)));
        return FormBinder.bind(
                this,
                Map.of(
                        "kubeconfig",
                                file.or(() ->
                                        FormText.text(kubeconfigCredentialsId).map(id -> stored(id, credentials))),
                        "token", FormText.text(tokenCredentialsId).map(credentials::secret),
                        "s3", Optional.ofNullable(s3).map(storage -> storage.toSettings(credentials)),
                        "proxy", JenkinsProxy.now()),
                KubernetesTarget.class);
    }

    private Kubeconfig stored(String id, CredentialStore credentials) {
        return Boolean.parseBoolean(trustKubeconfig)
                ? KubeconfigCredential.trusted(id)
                : KubeconfigCredential.of(id, credentials);
    }

    @Override
    public List<Secret> secretsOfJobs(CredentialStore credentials) {
        return s3 == null ? List.of() : s3.hidden(credentials);
    }

    /** The form of a Kubernetes cluster. */
    @Extension
    @Symbol("kubernetes")
    public static final class DescriptorImpl extends TargetDescriptor {
        public DescriptorImpl() {
            List.of("imagePullSecret", "nodeSelector", "queue", "serviceAccount", "tolerations", "volumes")
                    .forEach(field -> addHelpFileRedirect(field, KubernetesOptionsConfiguration.class, field));
        }

        @Override
        JobSpec jobToTest() {
            return JobSpec.of("true").image(IMAGE_TO_TEST).build();
        }

        @Override
        CredentialKind credential(String field) {
            return field.startsWith("kubeconfig") ? CredentialKind.KUBECONFIG : CredentialKind.SECRET;
        }

        @Override
        boolean isChecked(String field) {
            return !field.equals("context") && !FormBinder.isChosen(field, record());
        }

        /** All but the context, which needs a kubeconfig, can be checked alone. */
        @Override
        FormValidation check(String field, String value) {
            return FormBinder.checked(field, value, beside(field), record());
        }

        @Override
        Map<String, ?> beside(String field) {
            return field.equals("server")
                    ? Map.of("name", "check", "token", Secret.of("check"))
                    : Map.of("name", "check");
        }
    }
}
