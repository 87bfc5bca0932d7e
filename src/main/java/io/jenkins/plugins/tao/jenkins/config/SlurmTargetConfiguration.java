package io.jenkins.plugins.tao.jenkins.config;

import com.cloudbees.jenkins.plugins.sshcredentials.SSHUserPrivateKey;
import hudson.Extension;
import hudson.util.FormValidation;
import hudson.util.ListBoxModel;
import io.jenkins.plugins.tao.backend.slurm.SlurmTarget;
import io.jenkins.plugins.tao.backend.slurm.SlurmTarget.Launcher;
import io.jenkins.plugins.tao.remote.HostKeys;
import io.jenkins.plugins.tao.remote.SshAddress;
import io.jenkins.plugins.tao.remote.SshKey;
import io.jenkins.plugins.tao.remote.SshLogin;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import jenkins.model.Jenkins;
import org.jenkinsci.Symbol;
import org.kohsuke.stapler.DataBoundConstructor;
import org.kohsuke.stapler.DataBoundSetter;
import org.kohsuke.stapler.QueryParameter;
import org.kohsuke.stapler.verb.POST;

/** A Slurm cluster, as an administrator entered it. */
public final class SlurmTargetConfiguration extends TargetConfiguration {
    private final String hosts;
    private final String credentialsId;
    private final String knownHosts;
    private final String baseDirectory;
    private String sharedRoots = "";
    private String partitions = "";
    private String account = "";
    private String containerMounts = "";
    private String maxGpusPerNode = "";
    private String time = "";
    private String requeue = "";
    private String launcher = "";
    private String useSqsh = "";
    private String sqshCacheDir = "";
    private String conversionPartition = "";
    private String conversionTimeout = "";
    private String conversionMemory = "";
    private String agent = "";
    private String user = "";
    private String cluster = "";
    private String keepStaged = "";

    @DataBoundConstructor
    public SlurmTargetConfiguration(
            String name, String hosts, String credentialsId, String knownHosts, String baseDirectory) {
        super(name);
        this.hosts = FormText.kept(hosts);
        this.credentialsId = FormText.kept(credentialsId);
        this.knownHosts = FormText.kept(knownHosts);
        this.baseDirectory = FormText.kept(baseDirectory);
    }

    @Override
    public SlurmTarget toTarget(CredentialStore credentials) {
        SlurmTarget.Builder target = SlurmTarget.of(getName(), login(credentials), baseDirectory)
                .sharedRoots(FormText.list(sharedRoots))
                .partitions(FormText.list(partitions))
                .containerMounts(FormText.list(containerMounts));
        FormText.text(account).ifPresent(target::account);
        FormText.number("maxGpusPerNode", maxGpusPerNode).ifPresent(target::maxGpusPerNode);
        FormText.duration("time", time).ifPresent(target::time);
        FormText.choice("requeue", requeue).ifPresent(target::requeue);
        launcher(launcher).ifPresent(target::launcher);
        FormText.text(cluster).ifPresent(target::cluster);
        FormText.duration("keepStaged", keepStaged).ifPresent(target::keepStaged);
        conversion(target);
        return target.build();
    }

    private void conversion(SlurmTarget.Builder target) {
        FormText.choice("useSqsh", useSqsh).ifPresent(target::useSqsh);
        FormText.text(sqshCacheDir).ifPresent(target::sqshCacheDir);
        FormText.text(conversionPartition).ifPresent(target::conversionPartition);
        FormText.duration("conversionTimeout", conversionTimeout).ifPresent(target::conversionTimeout);
        FormText.text(conversionMemory).ifPresent(target::conversionMemory);
    }

    private SshLogin login(CredentialStore credentials) {
        if (!agent.isEmpty() && credentialsId.isEmpty()) {
            return new SshLogin(
                    addresses(), user, SshKey.none(), HostKeys.ofText(knownHosts), Optional.of(Path.of(agent)));
        }
        return SshLogins.of(hosts, knownHosts, credentialsId, credentials);
    }

    private List<SshAddress> addresses() {
        return FormText.list(hosts).stream().map(SshAddress::parse).toList();
    }

    static Optional<Launcher> launcher(String text) {
        return FormText.text(text).map(word -> Launcher.valueOf(word.toUpperCase(Locale.ROOT)));
    }

    public String getHosts() {
        return hosts;
    }

    public String getCredentialsId() {
        return credentialsId;
    }

    public String getKnownHosts() {
        return knownHosts;
    }

    public String getBaseDirectory() {
        return baseDirectory;
    }

    public String getSharedRoots() {
        return sharedRoots;
    }

    @DataBoundSetter
    public void setSharedRoots(String sharedRoots) {
        this.sharedRoots = FormText.kept(sharedRoots);
    }

    public String getPartitions() {
        return partitions;
    }

    @DataBoundSetter
    public void setPartitions(String partitions) {
        this.partitions = FormText.kept(partitions);
    }

    public String getAccount() {
        return account;
    }

    @DataBoundSetter
    public void setAccount(String account) {
        this.account = FormText.kept(account);
    }

    public String getContainerMounts() {
        return containerMounts;
    }

    @DataBoundSetter
    public void setContainerMounts(String containerMounts) {
        this.containerMounts = FormText.kept(containerMounts);
    }

    public String getMaxGpusPerNode() {
        return maxGpusPerNode;
    }

    @DataBoundSetter
    public void setMaxGpusPerNode(String maxGpusPerNode) {
        this.maxGpusPerNode = FormText.kept(maxGpusPerNode);
    }

    public String getTime() {
        return time;
    }

    @DataBoundSetter
    public void setTime(String time) {
        this.time = FormText.kept(time);
    }

    public String getRequeue() {
        return requeue;
    }

    @DataBoundSetter
    public void setRequeue(String requeue) {
        this.requeue = FormText.kept(requeue);
    }

    public String getLauncher() {
        return launcher;
    }

    @DataBoundSetter
    public void setLauncher(String launcher) {
        this.launcher = FormText.kept(launcher);
    }

    public String getUseSqsh() {
        return useSqsh;
    }

    @DataBoundSetter
    public void setUseSqsh(String useSqsh) {
        this.useSqsh = FormText.kept(useSqsh);
    }

    public String getSqshCacheDir() {
        return sqshCacheDir;
    }

    @DataBoundSetter
    public void setSqshCacheDir(String sqshCacheDir) {
        this.sqshCacheDir = FormText.kept(sqshCacheDir);
    }

    public String getConversionPartition() {
        return conversionPartition;
    }

    @DataBoundSetter
    public void setConversionPartition(String conversionPartition) {
        this.conversionPartition = FormText.kept(conversionPartition);
    }

    public String getConversionTimeout() {
        return conversionTimeout;
    }

    @DataBoundSetter
    public void setConversionTimeout(String conversionTimeout) {
        this.conversionTimeout = FormText.kept(conversionTimeout);
    }

    public String getConversionMemory() {
        return conversionMemory;
    }

    @DataBoundSetter
    public void setConversionMemory(String conversionMemory) {
        this.conversionMemory = FormText.kept(conversionMemory);
    }

    /** The socket of an SSH agent, used where no credential is named. */
    public String getAgent() {
        return agent;
    }

    @DataBoundSetter
    public void setAgent(String agent) {
        this.agent = FormText.kept(agent);
    }

    /** Who logs in by the agent; a credential brings its own user. */
    public String getUser() {
        return user;
    }

    @DataBoundSetter
    public void setUser(String user) {
        this.user = FormText.kept(user);
    }

    public String getCluster() {
        return cluster;
    }

    @DataBoundSetter
    public void setCluster(String cluster) {
        this.cluster = FormText.kept(cluster);
    }

    public String getKeepStaged() {
        return keepStaged;
    }

    @DataBoundSetter
    public void setKeepStaged(String keepStaged) {
        this.keepStaged = FormText.kept(keepStaged);
    }

    /** The form of a Slurm cluster. */
    @Extension
    @Symbol("slurm")
    public static final class DescriptorImpl extends TargetDescriptor {
        @Override
        public String getDisplayName() {
            return Messages.Slurm_displayName();
        }

        /** Offers the SSH keys that Jenkins itself has; a job may use one of its folder by the same id. */
        @POST
        public ListBoxModel doFillCredentialsIdItems(@QueryParameter String credentialsId) {
            return CredentialChoices.of(credentialsId, SSHUserPrivateKey.class);
        }

        /** Offers yes, no and the default. */
        @POST
        public ListBoxModel doFillRequeueItems() {
            return Choices.yesOrNo();
        }

        /** Offers yes, no and the default. */
        @POST
        public ListBoxModel doFillUseSqshItems() {
            return Choices.yesOrNo();
        }

        /** Offers the ways a container may start. */
        @POST
        public ListBoxModel doFillLauncherItems() {
            return Choices.launchers();
        }

        /** Checks the login hosts. */
        @POST
        public FormValidation doCheckHosts(@QueryParameter String value) {
            Jenkins.get().checkPermission(Jenkins.ADMINISTER);
            if (FormText.list(value).isEmpty()) {
                return FormValidation.error(Messages.Slurm_hosts());
            }
            return checked(() -> FormText.list(value).forEach(SshAddress::parse));
        }

        /** Checks that some host key is given. */
        @POST
        public FormValidation doCheckKnownHosts(@QueryParameter String value) {
            Jenkins.get().checkPermission(Jenkins.ADMINISTER);
            return FormText.text(value).isPresent()
                    ? FormValidation.ok()
                    : FormValidation.error(Messages.Slurm_knownHosts());
        }

        /** Checks the wall time. */
        @POST
        public FormValidation doCheckTime(@QueryParameter String value) {
            Jenkins.get().checkPermission(Jenkins.ADMINISTER);
            return checked(() -> FormText.duration("time", value));
        }

        /** Checks how long staged files stay. */
        @POST
        public FormValidation doCheckKeepStaged(@QueryParameter String value) {
            Jenkins.get().checkPermission(Jenkins.ADMINISTER);
            return checked(() -> FormText.duration("keepStaged", value));
        }

        /** Checks the number of GPUs. */
        @POST
        public FormValidation doCheckMaxGpusPerNode(@QueryParameter String value) {
            Jenkins.get().checkPermission(Jenkins.ADMINISTER);
            return checked(() -> FormText.number("maxGpusPerNode", value));
        }
    }
}
