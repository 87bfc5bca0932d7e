package io.jenkins.plugins.tao.jenkins.config;

import hudson.util.FormValidation;
import hudson.util.ListBoxModel;
import io.jenkins.plugins.tao.backend.box.BoxNetwork;
import io.jenkins.plugins.tao.backend.box.BoxPlaces;
import io.jenkins.plugins.tao.backend.box.BoxRules;
import io.jenkins.plugins.tao.backend.box.BoxSettings;
import jenkins.model.Jenkins;
import org.kohsuke.stapler.DataBoundSetter;
import org.kohsuke.stapler.QueryParameter;
import org.kohsuke.stapler.verb.POST;

/** What an administrator enters of any machine without a scheduler, reached by SSH or this one. */
public abstract class BoxTargetConfiguration extends TargetConfiguration {
    private final String baseDirectory;
    private String dataDirectory = "";
    private String durableDirectory = "";
    private String scratchDirectory = "";
    private String hfHome = "";
    private String credentialFile = "";
    private String hfEndpoint = "";
    private String hfTransfer = "";
    private String proxyHook = "";
    private String downloadStall = "";
    private String lease = "";
    private String runtime = "";
    private String detach = "";
    private String maxJobs = "";
    private String leastDiskGib = "";
    private String leastInodes = "";
    private String meanUptime = "";
    private String containerMounts = "";
    private String stopCommand = "";

    protected BoxTargetConfiguration(String name, String baseDirectory) {
        super(name);
        this.baseDirectory = FormText.kept(baseDirectory);
    }

    /**
     * What is set of the box.
     *
     * @throws IllegalArgumentException if a field is wrong
     */
    protected final BoxSettings settings() {
        return new BoxSettings(
                new BoxPlaces(
                        FormText.text(dataDirectory),
                        FormText.text(durableDirectory),
                        FormText.text(scratchDirectory),
                        FormText.text(hfHome),
                        FormText.text(credentialFile)),
                new BoxNetwork(
                        FormText.text(hfEndpoint),
                        FormText.choice("hfTransfer", hfTransfer),
                        FormText.text(proxyHook),
                        FormText.duration("downloadStall", downloadStall)),
                rules());
    }

    private BoxRules rules() {
        return new BoxRules(
                FormText.constant("lease", lease, BoxRules.Lease.class),
                FormText.constant("runtime", runtime, BoxRules.ContainerRuntime.class),
                FormText.constant("detach", detach, BoxRules.Detach.class),
                FormText.count("maxJobs", maxJobs),
                FormText.count("leastDiskGib", leastDiskGib),
                FormText.count("leastInodes", leastInodes),
                FormText.duration("meanUptime", meanUptime),
                FormText.list(containerMounts),
                FormText.text(stopCommand));
    }

    public String getBaseDirectory() {
        return baseDirectory;
    }

    public String getDataDirectory() {
        return dataDirectory;
    }

    @DataBoundSetter
    public void setDataDirectory(String dataDirectory) {
        this.dataDirectory = FormText.kept(dataDirectory);
    }

    public String getDurableDirectory() {
        return durableDirectory;
    }

    @DataBoundSetter
    public void setDurableDirectory(String durableDirectory) {
        this.durableDirectory = FormText.kept(durableDirectory);
    }

    public String getScratchDirectory() {
        return scratchDirectory;
    }

    @DataBoundSetter
    public void setScratchDirectory(String scratchDirectory) {
        this.scratchDirectory = FormText.kept(scratchDirectory);
    }

    public String getHfHome() {
        return hfHome;
    }

    @DataBoundSetter
    public void setHfHome(String hfHome) {
        this.hfHome = FormText.kept(hfHome);
    }

    public String getCredentialFile() {
        return credentialFile;
    }

    @DataBoundSetter
    public void setCredentialFile(String credentialFile) {
        this.credentialFile = FormText.kept(credentialFile);
    }

    public String getHfEndpoint() {
        return hfEndpoint;
    }

    @DataBoundSetter
    public void setHfEndpoint(String hfEndpoint) {
        this.hfEndpoint = FormText.kept(hfEndpoint);
    }

    public String getHfTransfer() {
        return hfTransfer;
    }

    @DataBoundSetter
    public void setHfTransfer(String hfTransfer) {
        this.hfTransfer = FormText.kept(hfTransfer);
    }

    public String getProxyHook() {
        return proxyHook;
    }

    @DataBoundSetter
    public void setProxyHook(String proxyHook) {
        this.proxyHook = FormText.kept(proxyHook);
    }

    public String getDownloadStall() {
        return downloadStall;
    }

    @DataBoundSetter
    public void setDownloadStall(String downloadStall) {
        this.downloadStall = FormText.kept(downloadStall);
    }

    public String getLease() {
        return lease;
    }

    @DataBoundSetter
    public void setLease(String lease) {
        this.lease = FormText.kept(lease);
    }

    public String getRuntime() {
        return runtime;
    }

    @DataBoundSetter
    public void setRuntime(String runtime) {
        this.runtime = FormText.kept(runtime);
    }

    public String getDetach() {
        return detach;
    }

    @DataBoundSetter
    public void setDetach(String detach) {
        this.detach = FormText.kept(detach);
    }

    public String getMaxJobs() {
        return maxJobs;
    }

    @DataBoundSetter
    public void setMaxJobs(String maxJobs) {
        this.maxJobs = FormText.kept(maxJobs);
    }

    public String getLeastDiskGib() {
        return leastDiskGib;
    }

    @DataBoundSetter
    public void setLeastDiskGib(String leastDiskGib) {
        this.leastDiskGib = FormText.kept(leastDiskGib);
    }

    public String getLeastInodes() {
        return leastInodes;
    }

    @DataBoundSetter
    public void setLeastInodes(String leastInodes) {
        this.leastInodes = FormText.kept(leastInodes);
    }

    public String getMeanUptime() {
        return meanUptime;
    }

    @DataBoundSetter
    public void setMeanUptime(String meanUptime) {
        this.meanUptime = FormText.kept(meanUptime);
    }

    public String getContainerMounts() {
        return containerMounts;
    }

    @DataBoundSetter
    public void setContainerMounts(String containerMounts) {
        this.containerMounts = FormText.kept(containerMounts);
    }

    public String getStopCommand() {
        return stopCommand;
    }

    @DataBoundSetter
    public void setStopCommand(String stopCommand) {
        this.stopCommand = FormText.kept(stopCommand);
    }

    /** What the forms of both kinds of box offer and check. */
    public abstract static class BoxTargetDescriptor extends TargetDescriptor {
        /** Offers yes, no and the default. */
        @POST
        public ListBoxModel doFillHfTransferItems() {
            return Choices.yesOrNo();
        }

        /** Offers whose machine it may be. */
        @POST
        public ListBoxModel doFillLeaseItems() {
            return Choices.of(BoxRules.Lease.class);
        }

        /** Offers what may run images. */
        @POST
        public ListBoxModel doFillRuntimeItems() {
            return Choices.of(BoxRules.ContainerRuntime.class);
        }

        /** Offers how jobs may be found on the box. */
        @POST
        public ListBoxModel doFillDetachItems() {
            return Choices.of(BoxRules.Detach.class);
        }

        /** Checks the number of jobs. */
        @POST
        public FormValidation doCheckMaxJobs(@QueryParameter String value) {
            Jenkins.get().checkPermission(Jenkins.ADMINISTER);
            return checked(() -> FormText.count("maxJobs", value));
        }

        /** Checks the floor of the disk. */
        @POST
        public FormValidation doCheckLeastDiskGib(@QueryParameter String value) {
            Jenkins.get().checkPermission(Jenkins.ADMINISTER);
            return checked(() -> FormText.count("leastDiskGib", value));
        }

        /** Checks the floor of the inodes. */
        @POST
        public FormValidation doCheckLeastInodes(@QueryParameter String value) {
            Jenkins.get().checkPermission(Jenkins.ADMINISTER);
            return checked(() -> FormText.count("leastInodes", value));
        }

        /** Checks the length of time. */
        @POST
        public FormValidation doCheckMeanUptime(@QueryParameter String value) {
            Jenkins.get().checkPermission(Jenkins.ADMINISTER);
            return checked(() -> FormText.duration("meanUptime", value));
        }

        /** Checks the length of time. */
        @POST
        public FormValidation doCheckDownloadStall(@QueryParameter String value) {
            Jenkins.get().checkPermission(Jenkins.ADMINISTER);
            return checked(() -> FormText.duration("downloadStall", value));
        }
    }
}
