package io.jenkins.plugins.tao.jenkins.config;

import hudson.Extension;
import hudson.util.FormValidation;
import hudson.util.ListBoxModel;
import io.jenkins.plugins.tao.backend.lepton.options.LeptonTarget;
import io.jenkins.plugins.tao.job.JobSpec;
import io.jenkins.plugins.tao.job.Secret;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import lombok.Getter;
import lombok.Setter;
import org.jenkinsci.Symbol;
import org.jspecify.annotations.Nullable;
import org.kohsuke.stapler.DataBoundConstructor;
import org.kohsuke.stapler.DataBoundSetter;
import org.kohsuke.stapler.QueryParameter;
import org.kohsuke.stapler.verb.POST;

/** A workspace of DGX Cloud Lepton, as an administrator entered it. */
@Getter
public final class LeptonTargetConfiguration extends TargetConfiguration {
    private final String workspace;
    private final String credentialsId;

    @Setter(onMethod_ = @DataBoundSetter)
    private String url = "";

    @Setter(onMethod_ = @DataBoundSetter)
    private String nodeGroup = "";

    @Setter(onMethod_ = @DataBoundSetter)
    private String resourceShape = "";

    @Setter(onMethod_ = @DataBoundSetter)
    private String mounts = "";

    @Setter(onMethod_ = @DataBoundSetter)
    private String ngcCredentialsId = "";

    @Setter(onMethod_ = @DataBoundSetter)
    private String pullSecret = "";

    @Setter(onMethod_ = @DataBoundSetter)
    private String sharedMemory = "";

    @Setter(onMethod_ = @DataBoundSetter)
    private String archiveAfter = "";

    @Setter(onMethod_ = @DataBoundSetter)
    private String failureAnalysis = "";

    @Setter(onMethod_ = @DataBoundSetter)
    private @Nullable S3Configuration s3;

    @DataBoundConstructor
    public LeptonTargetConfiguration(String name, String workspace, String credentialsId) {
        super(name);
        this.workspace = FormText.kept(workspace);
        this.credentialsId = FormText.kept(credentialsId);
    }

    @Override
    public LeptonTarget toTarget(CredentialStore credentials) {
        return FormBinder.bind(
                this,
                Map.of(
                        "token", credentials.secret(credentialsId),
                        "ngcKey", FormText.text(ngcCredentialsId).map(credentials::secret),
                        "s3", Optional.ofNullable(s3).map(storage -> storage.toSettings(credentials)),
                        "proxy", JenkinsProxy.now()),
                LeptonTarget.class);
    }

    @Override
    protected List<String> needed() {
        return List.of("workspace", "credentialsId");
    }

    @Override
    public List<Secret> secretsOfJobs(CredentialStore credentials) {
        List<Secret> secrets = new ArrayList<>();
        FormText.text(ngcCredentialsId).ifPresent(id -> secrets.add(credentials.secret(id)));
        S3Configuration storage = s3;
        if (storage != null) {
            secrets.addAll(storage.hidden(credentials));
        }
        return secrets;
    }

    /** The form of a Lepton workspace. */
    @Extension
    @Symbol("lepton")
    public static final class DescriptorImpl extends TargetDescriptor {
        public DescriptorImpl() {
            addHelpFileRedirect("sharedMemory", LeptonOptionsConfiguration.class, "sharedMemory");
        }

        @Override
        JobSpec jobToTest() {
            return JobSpec.of("true").image(IMAGE_TO_TEST).build();
        }

        /** Offers the node groups of the workspace. */
        @POST
        public ListBoxModel doFillNodeGroupItems(
                @QueryParameter String workspace,
                @QueryParameter String credentialsId,
                @QueryParameter String url,
                @QueryParameter String nodeGroup) {
            return found(new LeptonTargetConfiguration("form", workspace, credentialsId), url, "nodeGroup", nodeGroup);
        }

        /** Offers the shapes of the workspace. */
        @POST
        public ListBoxModel doFillResourceShapeItems(
                @QueryParameter String workspace,
                @QueryParameter String credentialsId,
                @QueryParameter String url,
                @QueryParameter String resourceShape) {
            LeptonTargetConfiguration form = new LeptonTargetConfiguration("form", workspace, credentialsId);
            return found(form, url, "resourceShape", resourceShape);
        }

        private static ListBoxModel found(LeptonTargetConfiguration form, String url, String field, String now) {
            form.setUrl(url);
            return FoundChoices.of(form, field, now);
        }

        /** Checks the workspace's id. */
        @POST
        public FormValidation doCheckWorkspace(@QueryParameter String value) {
            AdminForm.permit();
            return FormText.kept(value).matches("([A-Za-z0-9][A-Za-z0-9_-]*+)?+")
                    ? FormValidation.ok()
                    : FormValidation.error(Messages.Lepton_workspace());
        }

        /** Checks the address. */
        @POST
        public FormValidation doCheckUrl(@QueryParameter String value) {
            AdminForm.permit();
            boolean fine = FormText.text(value)
                    .map(text -> text.matches("https://[^/?#@\\s]+(/.*)?|http://(localhost|127\\.0\\.0\\.1)(:\\d+)?/?"))
                    .orElse(true);
            return fine ? FormValidation.ok() : FormValidation.error(Messages.Lepton_url());
        }
    }
}
