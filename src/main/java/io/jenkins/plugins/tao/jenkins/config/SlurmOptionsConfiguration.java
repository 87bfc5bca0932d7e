package io.jenkins.plugins.tao.jenkins.config;

import hudson.Extension;
import hudson.util.FormValidation;
import hudson.util.ListBoxModel;
import io.jenkins.plugins.tao.backend.slurm.SlurmOptions;
import io.jenkins.plugins.tao.job.JobOptions;
import java.util.Optional;
import java.util.function.Consumer;
import org.jenkinsci.Symbol;
import org.kohsuke.stapler.DataBoundConstructor;
import org.kohsuke.stapler.DataBoundSetter;
import org.kohsuke.stapler.QueryParameter;
import org.kohsuke.stapler.verb.POST;

/** What only Slurm understands of a job, as a user entered it: {@code slurm(partition: 'polar', account: 'x')}. */
public final class SlurmOptionsConfiguration extends JobOptionsConfiguration {
    private static final long serialVersionUID = 1L;

    private String partition = "";
    private String account = "";
    private String qos = "";
    private String reservation = "";
    private String constraint = "";
    private String exclude = "";
    private String nodelist = "";
    private String mem = "";
    private String gpuType = "";
    private String signal = "";
    private String dependency = "";
    private String exclusive = "";
    private String requeue = "";
    private String requeueOnTimeout = "";
    private String gpuCheck = "";
    private String maxRequeues = "";
    private String containerMounts = "";
    private String timeout = "";
    private String launcher = "";
    private String modules = "";
    private String useSqsh = "";
    private String forceReconvertLatest = "";
    private String installEnrootCredentials = "";
    private String checkpointTime = "";
    private String array = "";
    private String datasets = "";
    private String sbatch = "";

    @DataBoundConstructor
    public SlurmOptionsConfiguration() {}

    @Override
    public Optional<JobOptions> toOptions() {
        SlurmOptions.Builder options = SlurmOptions.builder();
        words(options);
        switches(options);
        FormText.number("maxRequeues", maxRequeues).ifPresent(options::maxRequeues);
        FormText.duration("timeout", timeout).ifPresent(options::timeout);
        FormText.duration("checkpointTime", checkpointTime).ifPresent(options::checkpointTime);
        SlurmTargetConfiguration.launcher(launcher).ifPresent(options::launcher);
        options.containerMounts(FormText.list(containerMounts)).modules(FormText.list(modules));
        options.datasets(FormText.list(datasets)).sbatch(FormText.lines(sbatch));
        return Optional.of(options.build());
    }

    private void words(SlurmOptions.Builder options) {
        set(partition, options::partition);
        set(account, options::account);
        set(qos, options::qos);
        set(reservation, options::reservation);
        set(constraint, options::constraint);
        set(exclude, options::exclude);
        set(nodelist, options::nodelist);
        set(mem, options::mem);
        set(gpuType, options::gpuType);
        set(signal, options::signal);
        set(dependency, options::dependency);
        set(array, options::array);
    }

    private void switches(SlurmOptions.Builder options) {
        FormText.choice("exclusive", exclusive).ifPresent(options::exclusive);
        FormText.choice("requeue", requeue).ifPresent(options::requeue);
        FormText.choice("requeueOnTimeout", requeueOnTimeout).ifPresent(options::requeueOnTimeout);
        FormText.choice("gpuCheck", gpuCheck).ifPresent(options::gpuCheck);
        FormText.choice("useSqsh", useSqsh).ifPresent(options::useSqsh);
        FormText.choice("forceReconvertLatest", forceReconvertLatest).ifPresent(options::forceReconvertLatest);
        FormText.choice("installEnrootCredentials", installEnrootCredentials)
                .ifPresent(options::installEnrootCredentials);
    }

    private static void set(String text, Consumer<String> option) {
        FormText.text(text).ifPresent(option);
    }

    public String getPartition() {
        return partition;
    }

    @DataBoundSetter
    public void setPartition(String partition) {
        this.partition = FormText.kept(partition);
    }

    public String getAccount() {
        return account;
    }

    @DataBoundSetter
    public void setAccount(String account) {
        this.account = FormText.kept(account);
    }

    public String getQos() {
        return qos;
    }

    @DataBoundSetter
    public void setQos(String qos) {
        this.qos = FormText.kept(qos);
    }

    public String getReservation() {
        return reservation;
    }

    @DataBoundSetter
    public void setReservation(String reservation) {
        this.reservation = FormText.kept(reservation);
    }

    public String getConstraint() {
        return constraint;
    }

    @DataBoundSetter
    public void setConstraint(String constraint) {
        this.constraint = FormText.kept(constraint);
    }

    public String getExclude() {
        return exclude;
    }

    @DataBoundSetter
    public void setExclude(String exclude) {
        this.exclude = FormText.kept(exclude);
    }

    public String getNodelist() {
        return nodelist;
    }

    @DataBoundSetter
    public void setNodelist(String nodelist) {
        this.nodelist = FormText.kept(nodelist);
    }

    public String getMem() {
        return mem;
    }

    @DataBoundSetter
    public void setMem(String mem) {
        this.mem = FormText.kept(mem);
    }

    public String getGpuType() {
        return gpuType;
    }

    @DataBoundSetter
    public void setGpuType(String gpuType) {
        this.gpuType = FormText.kept(gpuType);
    }

    public String getSignal() {
        return signal;
    }

    @DataBoundSetter
    public void setSignal(String signal) {
        this.signal = FormText.kept(signal);
    }

    public String getDependency() {
        return dependency;
    }

    @DataBoundSetter
    public void setDependency(String dependency) {
        this.dependency = FormText.kept(dependency);
    }

    public String getArray() {
        return array;
    }

    @DataBoundSetter
    public void setArray(String array) {
        this.array = FormText.kept(array);
    }

    public String getExclusive() {
        return exclusive;
    }

    @DataBoundSetter
    public void setExclusive(String exclusive) {
        this.exclusive = FormText.kept(exclusive);
    }

    public String getRequeue() {
        return requeue;
    }

    @DataBoundSetter
    public void setRequeue(String requeue) {
        this.requeue = FormText.kept(requeue);
    }

    public String getRequeueOnTimeout() {
        return requeueOnTimeout;
    }

    @DataBoundSetter
    public void setRequeueOnTimeout(String requeueOnTimeout) {
        this.requeueOnTimeout = FormText.kept(requeueOnTimeout);
    }

    public String getGpuCheck() {
        return gpuCheck;
    }

    @DataBoundSetter
    public void setGpuCheck(String gpuCheck) {
        this.gpuCheck = FormText.kept(gpuCheck);
    }

    public String getMaxRequeues() {
        return maxRequeues;
    }

    @DataBoundSetter
    public void setMaxRequeues(String maxRequeues) {
        this.maxRequeues = FormText.kept(maxRequeues);
    }

    public String getContainerMounts() {
        return containerMounts;
    }

    @DataBoundSetter
    public void setContainerMounts(String containerMounts) {
        this.containerMounts = FormText.kept(containerMounts);
    }

    public String getTimeout() {
        return timeout;
    }

    @DataBoundSetter
    public void setTimeout(String timeout) {
        this.timeout = FormText.kept(timeout);
    }

    public String getLauncher() {
        return launcher;
    }

    @DataBoundSetter
    public void setLauncher(String launcher) {
        this.launcher = FormText.kept(launcher);
    }

    public String getModules() {
        return modules;
    }

    @DataBoundSetter
    public void setModules(String modules) {
        this.modules = FormText.kept(modules);
    }

    public String getCheckpointTime() {
        return checkpointTime;
    }

    @DataBoundSetter
    public void setCheckpointTime(String checkpointTime) {
        this.checkpointTime = FormText.kept(checkpointTime);
    }

    public String getDatasets() {
        return datasets;
    }

    @DataBoundSetter
    public void setDatasets(String datasets) {
        this.datasets = FormText.kept(datasets);
    }

    public String getSbatch() {
        return sbatch;
    }

    @DataBoundSetter
    public void setSbatch(String sbatch) {
        this.sbatch = FormText.kept(sbatch);
    }

    public String getUseSqsh() {
        return useSqsh;
    }

    @DataBoundSetter
    public void setUseSqsh(String useSqsh) {
        this.useSqsh = FormText.kept(useSqsh);
    }

    public String getForceReconvertLatest() {
        return forceReconvertLatest;
    }

    @DataBoundSetter
    public void setForceReconvertLatest(String forceReconvertLatest) {
        this.forceReconvertLatest = FormText.kept(forceReconvertLatest);
    }

    public String getInstallEnrootCredentials() {
        return installEnrootCredentials;
    }

    @DataBoundSetter
    public void setInstallEnrootCredentials(String installEnrootCredentials) {
        this.installEnrootCredentials = FormText.kept(installEnrootCredentials);
    }

    /** The form of Slurm's options. */
    @Extension
    @Symbol("slurm")
    public static final class DescriptorImpl extends OptionsDescriptor {
        @Override
        public String getDisplayName() {
            return Messages.Slurm_displayName();
        }

        @POST
        public ListBoxModel doFillExclusiveItems() {
            return Choices.yesOrNo();
        }

        @POST
        public ListBoxModel doFillRequeueItems() {
            return Choices.yesOrNo();
        }

        @POST
        public ListBoxModel doFillRequeueOnTimeoutItems() {
            return Choices.yesOrNo();
        }

        @POST
        public ListBoxModel doFillGpuCheckItems() {
            return Choices.yesOrNo();
        }

        @POST
        public ListBoxModel doFillUseSqshItems() {
            return Choices.yesOrNo();
        }

        @POST
        public ListBoxModel doFillForceReconvertLatestItems() {
            return Choices.yesOrNo();
        }

        @POST
        public ListBoxModel doFillInstallEnrootCredentialsItems() {
            return Choices.yesOrNo();
        }

        @POST
        public ListBoxModel doFillLauncherItems() {
            return Choices.launchers();
        }

        /** Pure checks of a text, open to all who see the form. */
        @POST
        public FormValidation doCheckTimeout(@QueryParameter String value) {
            return TargetDescriptor.checked(() -> FormText.duration("timeout", value));
        }

        @POST
        public FormValidation doCheckArray(@QueryParameter String value) {
            return TargetDescriptor.checked(
                    () -> SlurmOptions.builder().array(value).build());
        }
    }
}
