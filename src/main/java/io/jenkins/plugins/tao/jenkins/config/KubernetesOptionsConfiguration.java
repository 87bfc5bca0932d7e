package io.jenkins.plugins.tao.jenkins.config;

import hudson.Extension;
import hudson.util.FormValidation;
import hudson.util.ListBoxModel;
import io.jenkins.plugins.tao.backend.kubernetes.KubernetesOptions;
import io.jenkins.plugins.tao.job.JobOptions;
import java.util.Optional;
import org.jenkinsci.Symbol;
import org.kohsuke.stapler.DataBoundConstructor;
import org.kohsuke.stapler.DataBoundSetter;
import org.kohsuke.stapler.QueryParameter;
import org.kohsuke.stapler.verb.POST;

/** What only Kubernetes understands of a job, as a user entered it: {@code kubernetes(memory: '64Gi', volumes: ['data:/data'])}. */
public final class KubernetesOptionsConfiguration extends JobOptionsConfiguration {
    private static final long serialVersionUID = 1L;

    private String namespace = "";
    private String imagePullSecret = "";
    private String createPullSecret = "";
    private String nodeSelector = "";
    private String tolerations = "";
    private String volumes = "";
    private String memory = "";
    private String ephemeralStorage = "";
    private String shm = "";
    private String gpuResource = "";
    private String gpuCheck = "";
    private String shell = "";
    private String serviceAccount = "";
    private String priorityClass = "";
    private String labels = "";
    private String annotations = "";
    private String queue = "";
    private String scheduler = "";
    private String restartPolicy = "";
    private String backoffLimit = "";
    private String completions = "";
    private String parallelism = "";
    private String ttl = "";
    private String grace = "";
    private String startDeadline = "";
    private String pullDeadline = "";

    @DataBoundConstructor
    public KubernetesOptionsConfiguration() {}

    @Override
    public Optional<JobOptions> toOptions() {
        KubernetesOptions.Builder options = KubernetesOptions.builder()
                .nodeSelector(FormText.texts("nodeSelector", nodeSelector))
                .labels(FormText.texts("labels", labels))
                .annotations(FormText.texts("annotations", annotations))
                .tolerations(FormText.list(tolerations))
                .volumes(FormText.list(volumes));
        words(options);
        numbers(options);
        FormText.constant("shell", shell, KubernetesOptions.Shell.class).ifPresent(options::shell);
        return Optional.of(options.build());
    }

    private void words(KubernetesOptions.Builder options) {
        FormText.text(namespace).ifPresent(options::namespace);
        FormText.text(imagePullSecret).ifPresent(options::imagePullSecret);
        FormText.text(memory).ifPresent(options::memory);
        FormText.text(ephemeralStorage).ifPresent(options::ephemeralStorage);
        FormText.text(shm).ifPresent(options::shm);
        FormText.text(gpuResource).ifPresent(options::gpuResource);
        FormText.text(serviceAccount).ifPresent(options::serviceAccount);
        FormText.text(priorityClass).ifPresent(options::priorityClass);
        FormText.text(queue).ifPresent(options::queue);
        FormText.text(scheduler).ifPresent(options::scheduler);
        FormText.text(restartPolicy).ifPresent(options::restartPolicy);
    }

    private void numbers(KubernetesOptions.Builder options) {
        FormText.choice("createPullSecret", createPullSecret).ifPresent(options::createPullSecret);
        FormText.choice("gpuCheck", gpuCheck).ifPresent(options::gpuCheck);
        FormText.number("backoffLimit", backoffLimit).ifPresent(options::backoffLimit);
        FormText.number("completions", completions).ifPresent(options::completions);
        FormText.number("parallelism", parallelism).ifPresent(options::parallelism);
        FormText.duration("ttl", ttl).ifPresent(options::ttl);
        FormText.duration("grace", grace).ifPresent(options::grace);
        FormText.duration("startDeadline", startDeadline).ifPresent(options::startDeadline);
        FormText.duration("pullDeadline", pullDeadline).ifPresent(options::pullDeadline);
    }

    public String getNamespace() {
        return namespace;
    }

    @DataBoundSetter
    public void setNamespace(String namespace) {
        this.namespace = FormText.kept(namespace);
    }

    public String getImagePullSecret() {
        return imagePullSecret;
    }

    @DataBoundSetter
    public void setImagePullSecret(String imagePullSecret) {
        this.imagePullSecret = FormText.kept(imagePullSecret);
    }

    public String getCreatePullSecret() {
        return createPullSecret;
    }

    @DataBoundSetter
    public void setCreatePullSecret(String createPullSecret) {
        this.createPullSecret = FormText.kept(createPullSecret);
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

    public String getVolumes() {
        return volumes;
    }

    @DataBoundSetter
    public void setVolumes(String volumes) {
        this.volumes = FormText.kept(volumes);
    }

    public String getMemory() {
        return memory;
    }

    @DataBoundSetter
    public void setMemory(String memory) {
        this.memory = FormText.kept(memory);
    }

    public String getEphemeralStorage() {
        return ephemeralStorage;
    }

    @DataBoundSetter
    public void setEphemeralStorage(String ephemeralStorage) {
        this.ephemeralStorage = FormText.kept(ephemeralStorage);
    }

    public String getShm() {
        return shm;
    }

    @DataBoundSetter
    public void setShm(String shm) {
        this.shm = FormText.kept(shm);
    }

    public String getGpuResource() {
        return gpuResource;
    }

    @DataBoundSetter
    public void setGpuResource(String gpuResource) {
        this.gpuResource = FormText.kept(gpuResource);
    }

    public String getGpuCheck() {
        return gpuCheck;
    }

    @DataBoundSetter
    public void setGpuCheck(String gpuCheck) {
        this.gpuCheck = FormText.kept(gpuCheck);
    }

    public String getShell() {
        return shell;
    }

    @DataBoundSetter
    public void setShell(String shell) {
        this.shell = FormText.kept(shell);
    }

    public String getServiceAccount() {
        return serviceAccount;
    }

    @DataBoundSetter
    public void setServiceAccount(String serviceAccount) {
        this.serviceAccount = FormText.kept(serviceAccount);
    }

    public String getPriorityClass() {
        return priorityClass;
    }

    @DataBoundSetter
    public void setPriorityClass(String priorityClass) {
        this.priorityClass = FormText.kept(priorityClass);
    }

    public String getLabels() {
        return labels;
    }

    @DataBoundSetter
    public void setLabels(String labels) {
        this.labels = FormText.kept(labels);
    }

    public String getAnnotations() {
        return annotations;
    }

    @DataBoundSetter
    public void setAnnotations(String annotations) {
        this.annotations = FormText.kept(annotations);
    }

    public String getQueue() {
        return queue;
    }

    @DataBoundSetter
    public void setQueue(String queue) {
        this.queue = FormText.kept(queue);
    }

    public String getScheduler() {
        return scheduler;
    }

    @DataBoundSetter
    public void setScheduler(String scheduler) {
        this.scheduler = FormText.kept(scheduler);
    }

    public String getRestartPolicy() {
        return restartPolicy;
    }

    @DataBoundSetter
    public void setRestartPolicy(String restartPolicy) {
        this.restartPolicy = FormText.kept(restartPolicy);
    }

    public String getBackoffLimit() {
        return backoffLimit;
    }

    @DataBoundSetter
    public void setBackoffLimit(String backoffLimit) {
        this.backoffLimit = FormText.kept(backoffLimit);
    }

    public String getCompletions() {
        return completions;
    }

    @DataBoundSetter
    public void setCompletions(String completions) {
        this.completions = FormText.kept(completions);
    }

    public String getParallelism() {
        return parallelism;
    }

    @DataBoundSetter
    public void setParallelism(String parallelism) {
        this.parallelism = FormText.kept(parallelism);
    }

    public String getTtl() {
        return ttl;
    }

    @DataBoundSetter
    public void setTtl(String ttl) {
        this.ttl = FormText.kept(ttl);
    }

    public String getGrace() {
        return grace;
    }

    @DataBoundSetter
    public void setGrace(String grace) {
        this.grace = FormText.kept(grace);
    }

    public String getStartDeadline() {
        return startDeadline;
    }

    @DataBoundSetter
    public void setStartDeadline(String startDeadline) {
        this.startDeadline = FormText.kept(startDeadline);
    }

    public String getPullDeadline() {
        return pullDeadline;
    }

    @DataBoundSetter
    public void setPullDeadline(String pullDeadline) {
        this.pullDeadline = FormText.kept(pullDeadline);
    }

    /** The form of Kubernetes' options. */
    @Extension
    @Symbol("kubernetes")
    public static final class DescriptorImpl extends OptionsDescriptor {
        @Override
        public String getDisplayName() {
            return Messages.Kubernetes_displayName();
        }

        /** Offers yes, no and the default. */
        @POST
        public ListBoxModel doFillCreatePullSecretItems() {
            return Choices.yesOrNo();
        }

        /** Offers yes, no and the default. */
        @POST
        public ListBoxModel doFillGpuCheckItems() {
            return Choices.yesOrNo();
        }

        /** Offers the shells. */
        @POST
        public ListBoxModel doFillShellItems() {
            return Choices.shells();
        }

        /** Offers the restart policies that a Job can have. */
        @POST
        public ListBoxModel doFillRestartPolicyItems() {
            return Choices.restartPolicies();
        }

        /** Checks a length of time; a pure check of the text, open to all who see the form. */
        @POST
        public FormValidation doCheckTtl(@QueryParameter String value) {
            return TargetDescriptor.checked(() -> FormText.duration("ttl", value));
        }

        /** Checks a length of time; a pure check of the text, open to all who see the form. */
        @POST
        public FormValidation doCheckGrace(@QueryParameter String value) {
            return TargetDescriptor.checked(() -> FormText.duration("grace", value));
        }

        /** Checks a length of time; a pure check of the text, open to all who see the form. */
        @POST
        public FormValidation doCheckStartDeadline(@QueryParameter String value) {
            return TargetDescriptor.checked(() -> FormText.duration("startDeadline", value));
        }

        /** Checks a length of time; a pure check of the text, open to all who see the form. */
        @POST
        public FormValidation doCheckPullDeadline(@QueryParameter String value) {
            return TargetDescriptor.checked(() -> FormText.duration("pullDeadline", value));
        }
    }
}
