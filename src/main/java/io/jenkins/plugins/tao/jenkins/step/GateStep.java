package io.jenkins.plugins.tao.jenkins.step;

import hudson.Extension;
import hudson.util.ComboBoxModel;
import hudson.util.ListBoxModel;
import io.jenkins.plugins.tao.gate.criteria.GateText;
import io.jenkins.plugins.tao.jenkins.config.Choices;
import io.jenkins.plugins.tao.jenkins.config.FormText;
import java.util.Map;
import java.util.TreeMap;
import lombok.Getter;
import lombok.Setter;
import org.jenkinsci.plugins.workflow.steps.StepContext;
import org.jenkinsci.plugins.workflow.steps.StepExecution;
import org.jspecify.annotations.Nullable;
import org.kohsuke.stapler.DataBoundConstructor;
import org.kohsuke.stapler.DataBoundSetter;
import org.kohsuke.stapler.verb.POST;

/** {@code taoGate}: judges the runs of this build by one criterion and by the builds before it. */
@Getter
public final class GateStep extends TaoStep {
    private final String kpi;

    @Setter(onMethod_ = @DataBoundSetter)
    private String atLeast = "";

    @Setter(onMethod_ = @DataBoundSetter)
    private String atMost = "";

    @Setter(onMethod_ = @DataBoundSetter)
    private String noWorseThan = "";

    @Setter(onMethod_ = @DataBoundSetter)
    private String by = "";

    /** How far it may be from the last good run on either side, such as {@code 2%}; empty for no band. */
    @Setter(onMethod_ = @DataBoundSetter)
    private String within = "";

    /** {@code 0..1}, {@code 0..100} or {@code open}; empty for what is known of the metric. */
    @Setter(onMethod_ = @DataBoundSetter)
    private String range = "";

    @Setter(onMethod_ = @DataBoundSetter)
    private String read = "";

    @Setter(onMethod_ = @DataBoundSetter)
    private String direction = "";

    @Setter(onMethod_ = @DataBoundSetter)
    private String noise = "";

    @Setter(onMethod_ = @DataBoundSetter)
    private String minDrop = "";

    /** {@code failure}, {@code unstable} or {@code note}. */
    @Setter(onMethod_ = @DataBoundSetter)
    private String effect = "";

    /** Tokens or ids of the jobs that are judged, one a line; empty for all of this build. */
    @Setter(onMethod_ = @DataBoundSetter)
    private String job = "";

    /** A file of the workspace with blessed runs; empty for those of the Jenkins job. */
    @Setter(onMethod_ = @DataBoundSetter)
    private String baselines = "";

    /** Where the job has its seed, for a confirming run before a red build; empty for none. */
    @Setter(onMethod_ = @DataBoundSetter)
    private String confirm = "";

    /** Circumstances that must be equal, such as {@code image}, split by commas or lines; empty for none. */
    @Setter(onMethod_ = @DataBoundSetter)
    private String mustMatch = "";

    /** Keys of the spec that may differ, split by commas or lines; empty for none. */
    @Setter(onMethod_ = @DataBoundSetter)
    private String mayDiffer = "";

    /** {@code true} where no verdict makes the build unstable; empty or {@code false} where it changes nothing. */
    @Setter(onMethod_ = @DataBoundSetter)
    private String needVerdict = "";

    @DataBoundConstructor
    public GateStep(String kpi) {
        this.kpi = FormText.kept(kpi);
    }

    @Override
    StepExecution begin(StepContext context) {
        return gate(context, keys(), FormText.kept(job), FormText.kept(baselines));
    }

    /** One gate of {@code keys}, checked. */
    static StepExecution gate(StepContext context, Map<String, String> keys, String job, String baselines) {
        GateText.parse(keys); // refused where it is written, before anything is read
        GateExecution gate = new GateExecution(context, keys, job, baselines);
        return keys.containsKey("confirm")
                ? new ConfirmedGate(context, gate, FormText.kept(keys.get("confirm")))
                : gate;
    }

    /** The keys of docs/gates.md. */
    private Map<String, String> keys() {
        Map<String, String> keys = new TreeMap<>();
        GateText.KEYS.forEach(key -> keys.put(key, FormText.kept(Parameters.text(this, key))));
        keys.values().removeIf(String::isEmpty);
        return keys;
    }

    /** The form of the step. */
    @Extension
    public static final class DescriptorImpl extends StepForm {
        @Override
        public @Nullable String argumentsToString(Map<String, Object> namedArgs) {
            return String.valueOf(namedArgs.get("kpi"));
        }

        @POST
        public ListBoxModel doFillDirectionItems() {
            return Choices.words("higher", "lower");
        }

        @POST
        public ListBoxModel doFillEffectItems() {
            return Choices.words("failure", "unstable", "note");
        }

        @POST
        public ListBoxModel doFillRangeItems() {
            return Choices.words("0..1", "0..100", "open");
        }

        @POST
        public ListBoxModel doFillNeedVerdictItems() {
            return Choices.yesOrNo();
        }

        @POST
        public ComboBoxModel doFillReadItems() {
            return new ComboBoxModel(
                    "last", "best", "mean of last 5", "median of last 5", "epochs to 0.5", "divergence", "not finite");
        }

        @POST
        public ComboBoxModel doFillConfirmItems() {
            return new ComboBoxModel("train.seed", "env.SEED", "args.seed", "pair", "pair env.SEED");
        }

        @POST
        public ComboBoxModel doFillNoWorseThanItems() {
            return new ComboBoxModel("last good", "last good of main", "baseline", "median of 10");
        }
    }
}
