package io.jenkins.plugins.tao.jenkins.config;

import hudson.Extension;
import hudson.util.FormValidation;
import hudson.util.ListBoxModel;
import io.jenkins.plugins.tao.backend.lepton.LeptonOptions;
import io.jenkins.plugins.tao.job.JobOptions;
import java.util.Optional;
import org.jenkinsci.Symbol;
import org.kohsuke.stapler.DataBoundConstructor;
import org.kohsuke.stapler.DataBoundSetter;
import org.kohsuke.stapler.QueryParameter;
import org.kohsuke.stapler.verb.POST;

/** What only Lepton understands of a job, as a user entered it: {@code lepton(nodeGroup: 'h100', mounts: '…')}. */
public final class LeptonOptionsConfiguration extends JobOptionsConfiguration {
    private static final long serialVersionUID = 1L;

    private String resourceShape = "";
    private String nodeGroup = "";
    private String nodes = "";
    private String mounts = "";
    private String sharedMemory = "";
    private String archiveAfter = "";
    private String visibility = "";
    private String priority = "";
    private String canBePreempted = "";
    private String canPreempt = "";
    private String reservation = "";
    private String secretRefs = "";

    @DataBoundConstructor
    public LeptonOptionsConfiguration() {}

    @Override
    public Optional<JobOptions> toOptions() {
        LeptonOptions.Builder options = LeptonOptions.builder()
                .nodes(FormText.list(nodes))
                .mounts(FormText.lines(mounts))
                .secretRefs(FormText.texts("secretRefs", secretRefs));
        FormText.text(resourceShape).ifPresent(options::resourceShape);
        FormText.text(nodeGroup).ifPresent(options::nodeGroup);
        FormText.number("sharedMemory", sharedMemory).ifPresent(options::sharedMemory);
        FormText.duration("archiveAfter", archiveAfter).ifPresent(options::archiveAfter);
        FormText.text(visibility).ifPresent(options::visibility);
        FormText.text(priority).ifPresent(options::priority);
        FormText.choice("canBePreempted", canBePreempted).ifPresent(options::canBePreempted);
        FormText.choice("canPreempt", canPreempt).ifPresent(options::canPreempt);
        FormText.text(reservation).ifPresent(options::reservation);
        return Optional.of(options.build());
    }

    public String getResourceShape() {
        return resourceShape;
    }

    @DataBoundSetter
    public void setResourceShape(String resourceShape) {
        this.resourceShape = FormText.kept(resourceShape);
    }

    public String getNodeGroup() {
        return nodeGroup;
    }

    @DataBoundSetter
    public void setNodeGroup(String nodeGroup) {
        this.nodeGroup = FormText.kept(nodeGroup);
    }

    public String getNodes() {
        return nodes;
    }

    @DataBoundSetter
    public void setNodes(String nodes) {
        this.nodes = FormText.kept(nodes);
    }

    public String getMounts() {
        return mounts;
    }

    @DataBoundSetter
    public void setMounts(String mounts) {
        this.mounts = FormText.kept(mounts);
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

    public String getVisibility() {
        return visibility;
    }

    @DataBoundSetter
    public void setVisibility(String visibility) {
        this.visibility = FormText.kept(visibility);
    }

    public String getPriority() {
        return priority;
    }

    @DataBoundSetter
    public void setPriority(String priority) {
        this.priority = FormText.kept(priority);
    }

    public String getCanBePreempted() {
        return canBePreempted;
    }

    @DataBoundSetter
    public void setCanBePreempted(String canBePreempted) {
        this.canBePreempted = FormText.kept(canBePreempted);
    }

    public String getCanPreempt() {
        return canPreempt;
    }

    @DataBoundSetter
    public void setCanPreempt(String canPreempt) {
        this.canPreempt = FormText.kept(canPreempt);
    }

    public String getReservation() {
        return reservation;
    }

    @DataBoundSetter
    public void setReservation(String reservation) {
        this.reservation = FormText.kept(reservation);
    }

    public String getSecretRefs() {
        return secretRefs;
    }

    @DataBoundSetter
    public void setSecretRefs(String secretRefs) {
        this.secretRefs = FormText.kept(secretRefs);
    }

    /** The form of Lepton's options. */
    @Extension
    @Symbol("lepton")
    public static final class DescriptorImpl extends OptionsDescriptor {
        @Override
        public String getDisplayName() {
            return Messages.Lepton_displayName();
        }

        /** Offers private, public and the default. */
        @POST
        public ListBoxModel doFillVisibilityItems() {
            return Choices.words("private", "public");
        }

        /** Offers Lepton's priorities. */
        @POST
        public ListBoxModel doFillPriorityItems() {
            return Choices.words(
                    "low-1000",
                    "low-2000",
                    "low-3000",
                    "mid-4000",
                    "mid-5000",
                    "mid-6000",
                    "high-7000",
                    "high-8000",
                    "high-9000");
        }

        /** Offers yes, no and the default. */
        @POST
        public ListBoxModel doFillCanBePreemptedItems() {
            return Choices.yesOrNo();
        }

        /** Offers yes, no and the default. */
        @POST
        public ListBoxModel doFillCanPreemptItems() {
            return Choices.yesOrNo();
        }

        /** Checks the length of time; a pure check of the text, open to all who see the form. */
        @POST
        public FormValidation doCheckArchiveAfter(@QueryParameter String value) {
            return TargetDescriptor.checked(() -> FormText.duration("archiveAfter", value));
        }

        /** Checks the size; a pure check of the text, open to all who see the form. */
        @POST
        public FormValidation doCheckSharedMemory(@QueryParameter String value) {
            return TargetDescriptor.checked(() -> FormText.number("sharedMemory", value));
        }
    }
}
