package io.jenkins.plugins.tao.jenkins.config;

import hudson.Extension;
import hudson.util.FormValidation;
import hudson.util.ListBoxModel;
import io.jenkins.plugins.tao.backend.kubernetes.KubernetesTarget;
import io.jenkins.plugins.tao.job.JobSpec;
import io.jenkins.plugins.tao.job.Secret;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import jenkins.model.Jenkins;
import org.jenkinsci.Symbol;
import org.jenkinsci.plugins.plaincredentials.FileCredentials;
import org.jenkinsci.plugins.plaincredentials.StringCredentials;
import org.jspecify.annotations.Nullable;
import org.kohsuke.stapler.DataBoundConstructor;
import org.kohsuke.stapler.DataBoundSetter;
import org.kohsuke.stapler.QueryParameter;
import org.kohsuke.stapler.verb.POST;

/** A namespace of a Kubernetes cluster, as an administrator entered it. */
public final class KubernetesTargetConfiguration extends TargetConfiguration {
    private String kubeconfigCredentialsId = "";
    private String kubeconfigPath = "";
    private String context = "";
    private String server = "";
    private String tokenCredentialsId = "";
    private String caCertificate = "";
    private String trustKubeconfig = "";
    private String namespace = "";
    private String managedNodes = "";
    private String resultsRoot = "";
    private String volumes = "";
    private String imagePullSecret = "";
    private String nodeSelector = "";
    private String tolerations = "";
    private String serviceAccount = "";
    private String queue = "";
    private String podSecurity = "";
    private @Nullable SecurityContextConfiguration securityContext;
    private @Nullable S3Configuration s3;

    @DataBoundConstructor
    public KubernetesTargetConfiguration(String name) {
        super(name);
    }

    @Override
    public KubernetesTarget toTarget(CredentialStore credentials) {
        KubernetesTarget.Builder target = KubernetesTarget.of(getName())
                .volumes(FormText.list(volumes))
                .nodeSelector(FormText.texts("nodeSelector", nodeSelector))
                .tolerations(FormText.list(tolerations))
                .proxy(JenkinsProxy.now());
        access(target, credentials);
        FormText.text(namespace).ifPresent(target::namespace);
        FormText.choice("managedNodes", managedNodes).ifPresent(target::managedNodes);
        FormText.text(resultsRoot).ifPresent(target::resultsRoot);
        FormText.text(imagePullSecret).ifPresent(target::imagePullSecret);
        FormText.text(serviceAccount).ifPresent(target::serviceAccount);
        FormText.text(queue).ifPresent(target::queue);
        FormText.constant("podSecurity", podSecurity, KubernetesTarget.PodSecurity.class)
                .ifPresent(target::podSecurity);
        if (securityContext != null) {
            target.securityContext(securityContext.toRunAs());
        }
        if (s3 != null) {
            target.s3(s3.toSettings(credentials));
        }
        return target.build();
    }

    @Override
    public List<Secret> secretsOfJobs(CredentialStore credentials) {
        return s3 == null ? List.of() : s3.hidden(credentials);
    }

    private void access(KubernetesTarget.Builder target, CredentialStore credentials) {
        boolean trusted = FormText.choice("trustKubeconfig", trustKubeconfig).orElse(false);
        FormText.text(kubeconfigCredentialsId)
                .ifPresent(id -> target.kubeconfig(trusted ? trusted(id) : kubeconfig(id, credentials)));
        FormText.text(kubeconfigPath)
                .ifPresent(path -> target.kubeconfig(KubernetesTarget.Kubeconfig.ofFile(Path.of(path))));
        FormText.text(context).ifPresent(target::context);
        FormText.text(server).ifPresent(target::server);
        FormText.text(tokenCredentialsId).ifPresent(id -> target.token(credentials.secret(id)));
        FormText.text(caCertificate).ifPresent(pem -> target.caCertificate(new KubernetesTarget.Certificate(pem)));
        target.trustKubeconfig(trusted);
    }

    /** A trusted kubeconfig may name programs: it is one of Jenkins itself, whatever a folder has by the same id. */
    private static KubernetesTarget.Kubeconfig trusted(String id) {
        return kubeconfig(
                CredentialStore.ofJenkins()
                        .find(id, FileCredentials.class)
                        .orElseThrow(() -> new IllegalArgumentException("There is no credential '" + id
                                + "' of Jenkins itself to use as a kubeconfig, and with trustKubeconfig none of a folder is used."
                                + " Create it as a 'Secret file' of Jenkins, or leave trustKubeconfig out.")),
                id);
    }

    private static KubernetesTarget.Kubeconfig kubeconfig(String id, CredentialStore credentials) {
        return kubeconfig(
                credentials
                        .find(id, FileCredentials.class)
                        .orElseThrow(() -> new IllegalArgumentException("There is no credential '" + id
                                + "' that this build may use as a kubeconfig. Create it as a 'Secret file'")),
                id);
    }

    private static KubernetesTarget.Kubeconfig kubeconfig(FileCredentials file, String id) {
        try (var content = file.getContent()) {
            String text = new String(content.readAllBytes(), StandardCharsets.UTF_8);
            return new KubernetesTarget.Kubeconfig(Secret.of(text), "credential '" + id + "'");
        } catch (IOException e) {
            throw new IllegalArgumentException("The credential '" + id + "' cannot be read", e);
        }
    }

    public String getKubeconfigCredentialsId() {
        return kubeconfigCredentialsId;
    }

    @DataBoundSetter
    public void setKubeconfigCredentialsId(String kubeconfigCredentialsId) {
        this.kubeconfigCredentialsId = FormText.kept(kubeconfigCredentialsId);
    }

    public String getKubeconfigPath() {
        return kubeconfigPath;
    }

    @DataBoundSetter
    public void setKubeconfigPath(String kubeconfigPath) {
        this.kubeconfigPath = FormText.kept(kubeconfigPath);
    }

    public String getContext() {
        return context;
    }

    @DataBoundSetter
    public void setContext(String context) {
        this.context = FormText.kept(context);
    }

    public String getServer() {
        return server;
    }

    @DataBoundSetter
    public void setServer(String server) {
        this.server = FormText.kept(server);
    }

    public String getTokenCredentialsId() {
        return tokenCredentialsId;
    }

    @DataBoundSetter
    public void setTokenCredentialsId(String tokenCredentialsId) {
        this.tokenCredentialsId = FormText.kept(tokenCredentialsId);
    }

    public String getCaCertificate() {
        return caCertificate;
    }

    @DataBoundSetter
    public void setCaCertificate(String caCertificate) {
        this.caCertificate = FormText.kept(caCertificate);
    }

    public String getTrustKubeconfig() {
        return trustKubeconfig;
    }

    @DataBoundSetter
    public void setTrustKubeconfig(String trustKubeconfig) {
        this.trustKubeconfig = FormText.kept(trustKubeconfig);
    }

    public String getNamespace() {
        return namespace;
    }

    @DataBoundSetter
    public void setNamespace(String namespace) {
        this.namespace = FormText.kept(namespace);
    }

    public String getManagedNodes() {
        return managedNodes;
    }

    @DataBoundSetter
    public void setManagedNodes(String managedNodes) {
        this.managedNodes = FormText.kept(managedNodes);
    }

    public String getResultsRoot() {
        return resultsRoot;
    }

    @DataBoundSetter
    public void setResultsRoot(String resultsRoot) {
        this.resultsRoot = FormText.kept(resultsRoot);
    }

    public String getVolumes() {
        return volumes;
    }

    @DataBoundSetter
    public void setVolumes(String volumes) {
        this.volumes = FormText.kept(volumes);
    }

    public String getImagePullSecret() {
        return imagePullSecret;
    }

    @DataBoundSetter
    public void setImagePullSecret(String imagePullSecret) {
        this.imagePullSecret = FormText.kept(imagePullSecret);
    }

    public String getNodeSelector() {
        return nodeSelector;
    }

    @DataBoundSetter
    public void setNodeSelector(String nodeSelector) {
        this.nodeSelector = FormText.kept(nodeSelector);
    }

    public String getTolerations() {
        return tolerations;
    }

    @DataBoundSetter
    public void setTolerations(String tolerations) {
        this.tolerations = FormText.kept(tolerations);
    }

    public String getServiceAccount() {
        return serviceAccount;
    }

    @DataBoundSetter
    public void setServiceAccount(String serviceAccount) {
        this.serviceAccount = FormText.kept(serviceAccount);
    }

    public String getQueue() {
        return queue;
    }

    @DataBoundSetter
    public void setQueue(String queue) {
        this.queue = FormText.kept(queue);
    }

    public String getPodSecurity() {
        return podSecurity;
    }

    @DataBoundSetter
    public void setPodSecurity(String podSecurity) {
        this.podSecurity = FormText.kept(podSecurity);
    }

    public @Nullable SecurityContextConfiguration getSecurityContext() {
        return securityContext;
    }

    @DataBoundSetter
    public void setSecurityContext(@Nullable SecurityContextConfiguration securityContext) {
        this.securityContext = securityContext;
    }

    public @Nullable S3Configuration getS3() {
        return s3;
    }

    @DataBoundSetter
    public void setS3(@Nullable S3Configuration s3) {
        this.s3 = s3;
    }

    /** The form of a Kubernetes cluster. */
    @Extension
    @Symbol("kubernetes")
    public static final class DescriptorImpl extends TargetDescriptor {
        @Override
        public String getDisplayName() {
            return Messages.Kubernetes_displayName();
        }

        @Override
        JobSpec jobToTest() {
            return JobSpec.of("true").image(IMAGE_TO_TEST).build();
        }

        /** Offers the secret files that Jenkins itself has; a job may use one of its folder by the same id. */
        @POST
        public ListBoxModel doFillKubeconfigCredentialsIdItems(@QueryParameter String kubeconfigCredentialsId) {
            return CredentialChoices.of(kubeconfigCredentialsId, FileCredentials.class);
        }

        /** Offers the secret texts that Jenkins itself has. */
        @POST
        public ListBoxModel doFillTokenCredentialsIdItems(@QueryParameter String tokenCredentialsId) {
            return CredentialChoices.of(tokenCredentialsId, StringCredentials.class);
        }

        /** Offers yes, no and the default. */
        @POST
        public ListBoxModel doFillTrustKubeconfigItems() {
            return Choices.yesOrNo();
        }

        /** Offers yes, no and the default. */
        @POST
        public ListBoxModel doFillManagedNodesItems() {
            return Choices.yesOrNo();
        }

        /** Offers the pod security standards. */
        @POST
        public ListBoxModel doFillPodSecurityItems() {
            return Choices.of(KubernetesTarget.PodSecurity.class);
        }

        /** Checks the address of the API server. */
        @POST
        public FormValidation doCheckServer(@QueryParameter String value) {
            Jenkins.get().checkPermission(Jenkins.ADMINISTER);
            return checked(() -> FormText.text(value)
                    .ifPresent(address -> KubernetesTarget.of("check")
                            .server(address)
                            .token(Secret.of("check"))
                            .build()));
        }

        /** Checks the namespace. */
        @POST
        public FormValidation doCheckNamespace(@QueryParameter String value) {
            Jenkins.get().checkPermission(Jenkins.ADMINISTER);
            return checked(() -> FormText.text(value)
                    .ifPresent(
                            name -> KubernetesTarget.of("check").namespace(name).build()));
        }

        /** Checks the volumes. */
        @POST
        public FormValidation doCheckVolumes(@QueryParameter String value) {
            Jenkins.get().checkPermission(Jenkins.ADMINISTER);
            return checked(() ->
                    KubernetesTarget.of("check").volumes(FormText.list(value)).build());
        }

        /** Checks the tolerations. */
        @POST
        public FormValidation doCheckTolerations(@QueryParameter String value) {
            Jenkins.get().checkPermission(Jenkins.ADMINISTER);
            return checked(() -> KubernetesTarget.of("check")
                    .tolerations(FormText.list(value))
                    .build());
        }
    }
}
