package io.jenkins.plugins.tao.jenkins.config;

import hudson.Extension;
import hudson.util.ListBoxModel;
import io.jenkins.plugins.tao.backend.kubernetes.options.KubernetesOptions;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalInt;
import lombok.Getter;
import lombok.Setter;
import org.jenkinsci.Symbol;
import org.jspecify.annotations.Nullable;
import org.kohsuke.stapler.DataBoundConstructor;
import org.kohsuke.stapler.DataBoundSetter;
import org.kohsuke.stapler.verb.POST;

/** What only Kubernetes understands of a job, as a user entered it: {@code kubernetes(memory: '64Gi', volumes: ['data:/data'])}. */
@Getter
public final class KubernetesOptionsConfiguration extends JobOptionsConfiguration {
    private static final long serialVersionUID = 1L;

    @Setter(onMethod_ = @DataBoundSetter)
    private String namespace = "";

    @Setter(onMethod_ = @DataBoundSetter)
    private String imagePullSecret = "";

    @Setter(onMethod_ = @DataBoundSetter)
    private String createPullSecret = "";

    @Setter(onMethod_ = @DataBoundSetter)
    private String nodeSelector = "";

    @Setter(onMethod_ = @DataBoundSetter)
    private String tolerations = "";

    @Setter(onMethod_ = @DataBoundSetter)
    private String volumes = "";

    @Setter(onMethod_ = @DataBoundSetter)
    private String memory = "";

    @Setter(onMethod_ = @DataBoundSetter)
    private String ephemeralStorage = "";

    @Setter(onMethod_ = @DataBoundSetter)
    private String shm = "";

    @Setter(onMethod_ = @DataBoundSetter)
    private String gpuResource = "";

    @Setter(onMethod_ = @DataBoundSetter)
    private String gpuCheck = "";

    @Setter(onMethod_ = @DataBoundSetter)
    private String shell = "";

    @Setter(onMethod_ = @DataBoundSetter)
    private String serviceAccount = "";

    @Setter(onMethod_ = @DataBoundSetter)
    private String priorityClass = "";

    @Setter(onMethod_ = @DataBoundSetter)
    private String labels = "";

    @Setter(onMethod_ = @DataBoundSetter)
    private String annotations = "";

    @Setter(onMethod_ = @DataBoundSetter)
    private String queue = "";

    @Setter(onMethod_ = @DataBoundSetter)
    private String scheduler = "";

    @Setter(onMethod_ = @DataBoundSetter)
    private String restartPolicy = "";

    @Setter(onMethod_ = @DataBoundSetter)
    private String backoffLimit = "";

    @Setter(onMethod_ = @DataBoundSetter)
    private String completions = "";

    @Setter(onMethod_ = @DataBoundSetter)
    private String parallelism = "";

    @Setter(onMethod_ = @DataBoundSetter)
    private @Nullable String members;

    @Setter(onMethod_ = @DataBoundSetter)
    private String ttl = "";

    @Setter(onMethod_ = @DataBoundSetter)
    private String grace = "";

    @Setter(onMethod_ = @DataBoundSetter)
    private String startDeadline = "";

    @Setter(onMethod_ = @DataBoundSetter)
    private String pullDeadline = "";

    @Setter(onMethod_ = @DataBoundSetter)
    private String fetchFromVolume = "";

    @Setter(onMethod_ = @DataBoundSetter)
    private @Nullable PodShapeConfiguration pod;

    @DataBoundConstructor
    public KubernetesOptionsConfiguration() {}

    @Override
    void carry(Map<String, String> given) {
        completions = given.getOrDefault("completions", "");
        parallelism = given.getOrDefault("parallelism", "");
        members = given.getOrDefault("members", "");
    }

    @Override
    protected Class<KubernetesOptions> type() {
        return KubernetesOptions.class;
    }

    /** The form of Kubernetes' options. */
    @Extension
    @Symbol("kubernetes")
    public static final class DescriptorImpl extends OptionsDescriptor {
        /** The form of pods has a class of its own but no symbol, so in a Pipeline it is a map. */
        @Override
        public Map<String, Object> customInstantiate(Map<String, Object> arguments) {
            Map<String, Object> texts = super.customInstantiate(arguments);
            if (arguments.get("pod") instanceof Map<?, ?> pod) {
                Map<String, Object> fields = new LinkedHashMap<>();
                pod.forEach((name, value) -> fields.put(String.valueOf(name), value));
                PipelineText.refuseUnknown("pod", PodShapeConfiguration.class, fields.keySet());
                texts.put("pod", PipelineText.flatten(fields));
            }
            return texts;
        }

        /** Offers the restart policies that a Job can have. */
        @POST
        public ListBoxModel doFillRestartPolicyItems() {
            return words("restartPolicy", "Never", "OnFailure");
        }

        @Override
        Map<String, ?> beside(String field) {
            return field.equals("parallelism") ? Map.of("completions", OptionalInt.of(1)) : Map.of();
        }
    }
}
