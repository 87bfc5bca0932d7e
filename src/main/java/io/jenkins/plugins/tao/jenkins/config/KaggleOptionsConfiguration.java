package io.jenkins.plugins.tao.jenkins.config;

import hudson.Extension;
import hudson.util.ListBoxModel;
import io.jenkins.plugins.tao.backend.notebook.KaggleOptions;
import io.jenkins.plugins.tao.backend.notebook.KaggleOptions.OnCancel;
import io.jenkins.plugins.tao.job.JobOptions;
import java.util.Optional;
import org.jenkinsci.Symbol;
import org.kohsuke.stapler.DataBoundConstructor;
import org.kohsuke.stapler.DataBoundSetter;
import org.kohsuke.stapler.verb.POST;

/** What only Kaggle understands of a job, as a user entered it: {@code kaggle(git: 'https://…', sessions: '3')}. */
public final class KaggleOptionsConfiguration extends JobOptionsConfiguration {
    private static final long serialVersionUID = 1L;

    private String accelerator = "";
    private String internet = "";
    private String git = "";
    private String revision = "";
    private String codeDataset = "";
    private String datasets = "";
    private String competitions = "";
    private String kernels = "";
    private String models = "";
    private String resumeFrom = "";
    private String secretsDataset = "";
    private String sessions = "";
    private String onCancel = "";
    private String dockerImage = "";

    @DataBoundConstructor
    public KaggleOptionsConfiguration() {}

    @Override
    public Optional<JobOptions> toOptions() {
        return Optional.of(new KaggleOptions(
                FormText.text(accelerator),
                FormText.choice("internet", internet),
                FormText.text(git),
                FormText.text(revision),
                FormText.text(codeDataset),
                FormText.list(datasets),
                FormText.list(competitions),
                FormText.list(kernels),
                FormText.list(models),
                FormText.text(resumeFrom),
                FormText.text(secretsDataset),
                FormText.count("sessions", sessions),
                FormText.constant("onCancel", onCancel, OnCancel.class),
                FormText.text(dockerImage)));
    }

    public String getAccelerator() {
        return accelerator;
    }

    @DataBoundSetter
    public void setAccelerator(String accelerator) {
        this.accelerator = FormText.kept(accelerator);
    }

    public String getInternet() {
        return internet;
    }

    @DataBoundSetter
    public void setInternet(String internet) {
        this.internet = FormText.kept(internet);
    }

    public String getGit() {
        return git;
    }

    @DataBoundSetter
    public void setGit(String git) {
        this.git = FormText.kept(git);
    }

    public String getRevision() {
        return revision;
    }

    @DataBoundSetter
    public void setRevision(String revision) {
        this.revision = FormText.kept(revision);
    }

    public String getCodeDataset() {
        return codeDataset;
    }

    @DataBoundSetter
    public void setCodeDataset(String codeDataset) {
        this.codeDataset = FormText.kept(codeDataset);
    }

    public String getDatasets() {
        return datasets;
    }

    @DataBoundSetter
    public void setDatasets(String datasets) {
        this.datasets = FormText.kept(datasets);
    }

    public String getCompetitions() {
        return competitions;
    }

    @DataBoundSetter
    public void setCompetitions(String competitions) {
        this.competitions = FormText.kept(competitions);
    }

    public String getKernels() {
        return kernels;
    }

    @DataBoundSetter
    public void setKernels(String kernels) {
        this.kernels = FormText.kept(kernels);
    }

    public String getModels() {
        return models;
    }

    @DataBoundSetter
    public void setModels(String models) {
        this.models = FormText.kept(models);
    }

    public String getResumeFrom() {
        return resumeFrom;
    }

    @DataBoundSetter
    public void setResumeFrom(String resumeFrom) {
        this.resumeFrom = FormText.kept(resumeFrom);
    }

    public String getSecretsDataset() {
        return secretsDataset;
    }

    @DataBoundSetter
    public void setSecretsDataset(String secretsDataset) {
        this.secretsDataset = FormText.kept(secretsDataset);
    }

    public String getSessions() {
        return sessions;
    }

    @DataBoundSetter
    public void setSessions(String sessions) {
        this.sessions = FormText.kept(sessions);
    }

    public String getOnCancel() {
        return onCancel;
    }

    @DataBoundSetter
    public void setOnCancel(String onCancel) {
        this.onCancel = FormText.kept(onCancel);
    }

    public String getDockerImage() {
        return dockerImage;
    }

    @DataBoundSetter
    public void setDockerImage(String dockerImage) {
        this.dockerImage = FormText.kept(dockerImage);
    }

    /** The form of these options. */
    @Extension
    @Symbol("kaggle")
    public static final class DescriptorImpl extends OptionsDescriptor {
        @Override
        public String getDisplayName() {
            return Messages.Kaggle_displayName();
        }

        /** Offers yes, no and the default. */
        @POST
        public ListBoxModel doFillInternetItems() {
            return Choices.yesOrNo();
        }

        /** Offers what cancelling can do. */
        @POST
        public ListBoxModel doFillOnCancelItems() {
            return Choices.onCancel();
        }
    }
}
