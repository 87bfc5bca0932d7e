package io.jenkins.plugins.tao.jenkins.config;

import hudson.Extension;
import hudson.util.FormValidation;
import hudson.util.ListBoxModel;
import io.jenkins.plugins.tao.backend.lepton.LeptonTarget;
import io.jenkins.plugins.tao.job.JobSpec;
import io.jenkins.plugins.tao.job.Secret;
import java.util.ArrayList;
import java.util.List;
import jenkins.model.Jenkins;
import org.jenkinsci.Symbol;
import org.jspecify.annotations.Nullable;
import org.kohsuke.stapler.DataBoundConstructor;
import org.kohsuke.stapler.DataBoundSetter;
import org.kohsuke.stapler.QueryParameter;
import org.kohsuke.stapler.verb.POST;

/** A workspace of DGX Cloud Lepton, as an administrator entered it. */
public final class LeptonTargetConfiguration extends TargetConfiguration {
    private final String workspace;
    private final String credentialsId;
    private String url = "";
    private String nodeGroup = "";
    private String resourceShape = "";
    private String mounts = "";
    private String ngcCredentialsId = "";
    private String pullSecret = "";
    private String sharedMemory = "";
    private String archiveAfter = "";
    private String failureAnalysis = "";
    private @Nullable S3Configuration s3;

    @DataBoundConstructor
    public LeptonTargetConfiguration(String name, String workspace, String credentialsId) {
        super(name);
        this.workspace = FormText.kept(workspace);
        this.credentialsId = FormText.kept(credentialsId);
    }

    @Override
    public LeptonTarget toTarget(CredentialStore credentials) {
        LeptonTarget.Builder target = LeptonTarget.of(getName(), workspace, credentials.secret(credentialsId))
                .mounts(FormText.lines(mounts))
                .proxy(JenkinsProxy.now());
        FormText.text(url).ifPresent(target::url);
        FormText.text(nodeGroup).ifPresent(target::nodeGroup);
        FormText.text(resourceShape).ifPresent(target::resourceShape);
        FormText.text(ngcCredentialsId).ifPresent(id -> target.ngcKey(credentials.secret(id)));
        FormText.text(pullSecret).ifPresent(target::pullSecret);
        FormText.number("sharedMemory", sharedMemory).ifPresent(target::sharedMemory);
        FormText.duration("archiveAfter", archiveAfter).ifPresent(target::archiveAfter);
        FormText.text(failureAnalysis).ifPresent(target::failureAnalysis);
        S3Configuration storage = s3;
        if (storage != null) {
            target.s3(storage.toSettings(credentials));
        }
        return target.build();
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

    public String getWorkspace() {
        return workspace;
    }

    public String getCredentialsId() {
        return credentialsId;
    }

    public String getUrl() {
        return url;
    }

    @DataBoundSetter
    public void setUrl(String url) {
        this.url = FormText.kept(url);
    }

    public String getNodeGroup() {
        return nodeGroup;
    }

    @DataBoundSetter
    public void setNodeGroup(String nodeGroup) {
        this.nodeGroup = FormText.kept(nodeGroup);
    }

    public String getResourceShape() {
        return resourceShape;
    }

    @DataBoundSetter
    public void setResourceShape(String resourceShape) {
        this.resourceShape = FormText.kept(resourceShape);
    }

    public String getMounts() {
        return mounts;
    }

    @DataBoundSetter
    public void setMounts(String mounts) {
        this.mounts = FormText.kept(mounts);
    }

    public String getNgcCredentialsId() {
        return ngcCredentialsId;
    }

    @DataBoundSetter
    public void setNgcCredentialsId(String ngcCredentialsId) {
        this.ngcCredentialsId = FormText.kept(ngcCredentialsId);
    }

    public String getPullSecret() {
        return pullSecret;
    }

    @DataBoundSetter
    public void setPullSecret(String pullSecret) {
        this.pullSecret = FormText.kept(pullSecret);
    }

    public String getSharedMemory() {
        return sharedMemory;
    }

    @DataBoundSetter
    public void setSharedMemory(String sharedMemory) {
        this.sharedMemory = FormText.kept(sharedMemory);
    }

    public String getArchiveAfter() {
        return archiveAfter;
    }

    @DataBoundSetter
    public void setArchiveAfter(String archiveAfter) {
        this.archiveAfter = FormText.kept(archiveAfter);
    }

    public String getFailureAnalysis() {
        return failureAnalysis;
    }

    @DataBoundSetter
    public void setFailureAnalysis(String failureAnalysis) {
        this.failureAnalysis = FormText.kept(failureAnalysis);
    }

    public @Nullable S3Configuration getS3() {
        return s3;
    }

    @DataBoundSetter
    public void setS3(@Nullable S3Configuration s3) {
        this.s3 = s3;
    }

    /** The form of a Lepton workspace. */
    @Extension
    @Symbol("lepton")
    public static final class DescriptorImpl extends TargetDescriptor {
        @Override
        public String getDisplayName() {
            return Messages.Lepton_displayName();
        }

        @Override
        JobSpec jobToTest() {
            return JobSpec.of("true").image(IMAGE_TO_TEST).build();
        }

        /** Offers the secrets that Jenkins itself has; a job may use one of its folder by the same id. */
        @POST
        public ListBoxModel doFillCredentialsIdItems(@QueryParameter String credentialsId) {
            return CredentialChoices.secrets(credentialsId);
        }

        /** Offers the same for the NGC key. */
        @POST
        public ListBoxModel doFillNgcCredentialsIdItems(@QueryParameter String ngcCredentialsId) {
            return CredentialChoices.secrets(ngcCredentialsId);
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
            Jenkins.get().checkPermission(Jenkins.ADMINISTER);
            return FormText.kept(value).matches("[A-Za-z0-9][A-Za-z0-9_-]*")
                    ? FormValidation.ok()
                    : FormValidation.error(Messages.Lepton_workspace());
        }

        /** Checks the address. */
        @POST
        public FormValidation doCheckUrl(@QueryParameter String value) {
            Jenkins.get().checkPermission(Jenkins.ADMINISTER);
            boolean fine = FormText.text(value)
                    .map(text -> text.matches("https://[^/?#@\\s]+(/.*)?|http://(localhost|127\\.0\\.0\\.1)(:\\d+)?/?"))
                    .orElse(true);
            return fine ? FormValidation.ok() : FormValidation.error(Messages.Lepton_url());
        }

        /** Checks the size. */
        @POST
        public FormValidation doCheckSharedMemory(@QueryParameter String value) {
            Jenkins.get().checkPermission(Jenkins.ADMINISTER);
            return checked(() -> FormText.number("sharedMemory", value));
        }

        /** Checks the length of time. */
        @POST
        public FormValidation doCheckArchiveAfter(@QueryParameter String value) {
            Jenkins.get().checkPermission(Jenkins.ADMINISTER);
            return checked(() -> FormText.duration("archiveAfter", value));
        }
    }
}
