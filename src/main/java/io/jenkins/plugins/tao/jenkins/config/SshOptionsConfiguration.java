package io.jenkins.plugins.tao.jenkins.config;

import hudson.Extension;
import hudson.util.FormValidation;
import hudson.util.ListBoxModel;
import io.jenkins.plugins.tao.backend.box.BoxOptions;
import io.jenkins.plugins.tao.backend.box.BoxPreparation;
import io.jenkins.plugins.tao.backend.box.BoxRules;
import io.jenkins.plugins.tao.job.JobOptions;
import java.util.Optional;
import org.jenkinsci.Symbol;
import org.kohsuke.stapler.DataBoundConstructor;
import org.kohsuke.stapler.DataBoundSetter;
import org.kohsuke.stapler.QueryParameter;
import org.kohsuke.stapler.verb.POST;

/** What only a machine without a scheduler understands of a job, as a user entered it: {@code ssh(onReboot: 'fail')}. */
public final class SshOptionsConfiguration extends JobOptionsConfiguration {
    private static final long serialVersionUID = 1L;

    private String grace = "";
    private String onReboot = "";
    private String whenBusy = "";
    private String gpuCheck = "";
    private String detach = "";
    private String shmSize = "";
    private String containerArgs = "";
    private String smoke = "";
    private String downloads = "";
    private String packages = "";
    private String code = "";
    private String checkpointCost = "";
    private String cleanScratch = "";

    @DataBoundConstructor
    public SshOptionsConfiguration() {}

    @Override
    public Optional<JobOptions> toOptions() {
        BoxOptions defaults = BoxOptions.defaults();
        return Optional.of(new BoxOptions(
                FormText.duration("grace", grace).orElse(defaults.grace()),
                FormText.constant("onReboot", onReboot, BoxOptions.OnReboot.class)
                        .orElse(defaults.onReboot()),
                FormText.constant("whenBusy", whenBusy, BoxOptions.WhenBusy.class)
                        .orElse(defaults.whenBusy()),
                FormText.choice("gpuCheck", gpuCheck).orElse(defaults.gpuCheck()),
                FormText.constant("detach", detach, BoxRules.Detach.class),
                FormText.text(shmSize),
                FormText.lines(containerArgs),
                preparation()));
    }

    private BoxPreparation preparation() {
        return new BoxPreparation(
                FormText.text(smoke),
                FormText.texts("downloads", downloads),
                FormText.list(packages),
                FormText.text(code),
                FormText.duration("checkpointCost", checkpointCost),
                FormText.choice("cleanScratch", cleanScratch).orElse(false));
    }

    public String getGrace() {
        return grace;
    }

    @DataBoundSetter
    public void setGrace(String grace) {
        this.grace = FormText.kept(grace);
    }

    public String getOnReboot() {
        return onReboot;
    }

    @DataBoundSetter
    public void setOnReboot(String onReboot) {
        this.onReboot = FormText.kept(onReboot);
    }

    public String getWhenBusy() {
        return whenBusy;
    }

    @DataBoundSetter
    public void setWhenBusy(String whenBusy) {
        this.whenBusy = FormText.kept(whenBusy);
    }

    public String getGpuCheck() {
        return gpuCheck;
    }

    @DataBoundSetter
    public void setGpuCheck(String gpuCheck) {
        this.gpuCheck = FormText.kept(gpuCheck);
    }

    public String getDetach() {
        return detach;
    }

    @DataBoundSetter
    public void setDetach(String detach) {
        this.detach = FormText.kept(detach);
    }

    public String getShmSize() {
        return shmSize;
    }

    @DataBoundSetter
    public void setShmSize(String shmSize) {
        this.shmSize = FormText.kept(shmSize);
    }

    public String getContainerArgs() {
        return containerArgs;
    }

    @DataBoundSetter
    public void setContainerArgs(String containerArgs) {
        this.containerArgs = FormText.kept(containerArgs);
    }

    public String getSmoke() {
        return smoke;
    }

    @DataBoundSetter
    public void setSmoke(String smoke) {
        this.smoke = FormText.kept(smoke);
    }

    public String getDownloads() {
        return downloads;
    }

    @DataBoundSetter
    public void setDownloads(String downloads) {
        this.downloads = FormText.kept(downloads);
    }

    public String getPackages() {
        return packages;
    }

    @DataBoundSetter
    public void setPackages(String packages) {
        this.packages = FormText.kept(packages);
    }

    public String getCode() {
        return code;
    }

    @DataBoundSetter
    public void setCode(String code) {
        this.code = FormText.kept(code);
    }

    public String getCheckpointCost() {
        return checkpointCost;
    }

    @DataBoundSetter
    public void setCheckpointCost(String checkpointCost) {
        this.checkpointCost = FormText.kept(checkpointCost);
    }

    public String getCleanScratch() {
        return cleanScratch;
    }

    @DataBoundSetter
    public void setCleanScratch(String cleanScratch) {
        this.cleanScratch = FormText.kept(cleanScratch);
    }

    /** The form of these options. */
    @Extension
    @Symbol({"ssh", "local"})
    public static final class DescriptorImpl extends OptionsDescriptor {
        @Override
        public String getDisplayName() {
            return Messages.Ssh_options();
        }

        /** Offers what may become of a job after a reboot. */
        @POST
        public ListBoxModel doFillOnRebootItems() {
            return Choices.of(BoxOptions.OnReboot.class);
        }

        /** Offers what may become of a job whose GPUs others hold. */
        @POST
        public ListBoxModel doFillWhenBusyItems() {
            return Choices.of(BoxOptions.WhenBusy.class);
        }

        /** Offers yes, no and the default. */
        @POST
        public ListBoxModel doFillGpuCheckItems() {
            return Choices.yesOrNo();
        }

        /** Offers how the job may be found on the box. */
        @POST
        public ListBoxModel doFillDetachItems() {
            return Choices.of(BoxRules.Detach.class);
        }

        /** Offers yes, no and the default. */
        @POST
        public ListBoxModel doFillCleanScratchItems() {
            return Choices.yesOrNo();
        }

        /** Checks the length of time; a pure check of the text, open to all who see the form. */
        @POST
        public FormValidation doCheckGrace(@QueryParameter String value) {
            return TargetDescriptor.checked(() -> FormText.duration("grace", value));
        }

        /** Checks the length of time; a pure check of the text, open to all who see the form. */
        @POST
        public FormValidation doCheckCheckpointCost(@QueryParameter String value) {
            return TargetDescriptor.checked(() -> FormText.duration("checkpointCost", value));
        }

        /** Checks the mapping; a pure check of the text, open to all who see the form. */
        @POST
        public FormValidation doCheckDownloads(@QueryParameter String value) {
            return TargetDescriptor.checked(() -> FormText.texts("downloads", value));
        }
    }
}
