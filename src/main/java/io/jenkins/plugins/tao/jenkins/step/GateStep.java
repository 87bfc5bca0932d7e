package io.jenkins.plugins.tao.jenkins.step;

import hudson.Extension;
import io.jenkins.plugins.tao.gate.criteria.GateText;
import io.jenkins.plugins.tao.jenkins.config.FormText;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jenkinsci.plugins.workflow.steps.StepContext;
import org.jenkinsci.plugins.workflow.steps.StepExecution;
import org.jspecify.annotations.Nullable;
import org.kohsuke.stapler.DataBoundConstructor;
import org.kohsuke.stapler.DataBoundSetter;

/** {@code taoGate}: judges the runs of this build by one criterion and by the builds before it. */
public final class GateStep extends TaoStep {
    private final String kpi;
    private String atLeast = "";
    private String atMost = "";
    private String noWorseThan = "";
    private String by = "";
    private String within = "";
    private String range = "";
    private String read = "";
    private String direction = "";
    private String noise = "";
    private String minDrop = "";
    private String effect = "";
    private String job = "";
    private String baselines = "";
    private String confirm = "";
    private String mustMatch = "";
    private String mayDiffer = "";
    private String needVerdict = "";

    @DataBoundConstructor
    public GateStep(String kpi) {
        this.kpi = FormText.kept(kpi);
    }

    @Override
    StepExecution begin(StepContext context) {
        Map<String, String> keys = keys();
        GateText.parse(keys); // refused where it is written, before anything is read
        GateExecution gate = new GateExecution(context, keys, job, baselines);
        return confirm.isEmpty() ? gate : new ConfirmedGate(context, gate, confirm);
    }

    /** The keys of docs/gates.md. */
    private Map<String, String> keys() {
        Map<String, String> keys = new LinkedHashMap<>();
        keys.put("kpi", kpi);
        keys.put("atLeast", atLeast);
        keys.put("atMost", atMost);
        keys.put("noWorseThan", noWorseThan);
        keys.put("by", by);
        keys.put("within", within);
        keys.put("range", range);
        keys.put("read", read);
        keys.put("direction", direction);
        keys.put("noise", noise);
        keys.put("minDrop", minDrop);
        keys.put("effect", effect);
        keys.put("confirm", confirm);
        keys.put("mustMatch", mustMatch);
        keys.put("mayDiffer", mayDiffer);
        keys.put("needVerdict", needVerdict);
        keys.values().removeIf(String::isBlank);
        return keys;
    }

    public String getKpi() {
        return kpi;
    }

    public String getAtLeast() {
        return atLeast;
    }

    @DataBoundSetter
    public void setAtLeast(String atLeast) {
        this.atLeast = FormText.kept(atLeast);
    }

    public String getAtMost() {
        return atMost;
    }

    @DataBoundSetter
    public void setAtMost(String atMost) {
        this.atMost = FormText.kept(atMost);
    }

    public String getNoWorseThan() {
        return noWorseThan;
    }

    @DataBoundSetter
    public void setNoWorseThan(String noWorseThan) {
        this.noWorseThan = FormText.kept(noWorseThan);
    }

    /** How far it may be from the last good run on either side, such as {@code 2%}; empty for no band. */
    public String getWithin() {
        return within;
    }

    @DataBoundSetter
    public void setWithin(String within) {
        this.within = FormText.kept(within);
    }

    /** {@code 0..1}, {@code 0..100} or {@code open}; empty for what is known of the metric. */
    public String getRange() {
        return range;
    }

    @DataBoundSetter
    public void setRange(String range) {
        this.range = FormText.kept(range);
    }

    public String getBy() {
        return by;
    }

    @DataBoundSetter
    public void setBy(String by) {
        this.by = FormText.kept(by);
    }

    public String getRead() {
        return read;
    }

    @DataBoundSetter
    public void setRead(String read) {
        this.read = FormText.kept(read);
    }

    public String getDirection() {
        return direction;
    }

    @DataBoundSetter
    public void setDirection(String direction) {
        this.direction = FormText.kept(direction);
    }

    public String getNoise() {
        return noise;
    }

    @DataBoundSetter
    public void setNoise(String noise) {
        this.noise = FormText.kept(noise);
    }

    public String getMinDrop() {
        return minDrop;
    }

    @DataBoundSetter
    public void setMinDrop(String minDrop) {
        this.minDrop = FormText.kept(minDrop);
    }

    /** {@code failure}, {@code unstable} or {@code note}. */
    public String getEffect() {
        return effect;
    }

    @DataBoundSetter
    public void setEffect(String effect) {
        this.effect = FormText.kept(effect);
    }

    /** Tokens or ids of the jobs that are judged, one a line; empty for all of this build. */
    public String getJob() {
        return job;
    }

    @DataBoundSetter
    public void setJob(String job) {
        this.job = FormText.kept(job);
    }

    /** A file of the workspace with blessed runs; empty for those of the Jenkins job. */
    public String getBaselines() {
        return baselines;
    }

    @DataBoundSetter
    public void setBaselines(String baselines) {
        this.baselines = FormText.kept(baselines);
    }

    /** Where the job has its seed, for a confirming run before a red build; empty for none. */
    public String getConfirm() {
        return confirm;
    }

    @DataBoundSetter
    public void setConfirm(String confirm) {
        this.confirm = FormText.kept(confirm);
    }

    /** Circumstances that must be equal, such as {@code image}, split by commas or lines; empty for none. */
    public String getMustMatch() {
        return mustMatch;
    }

    @DataBoundSetter
    public void setMustMatch(String mustMatch) {
        this.mustMatch = FormText.kept(mustMatch);
    }

    /** Keys of the spec that may differ, split by commas or lines; empty for none. */
    public String getMayDiffer() {
        return mayDiffer;
    }

    @DataBoundSetter
    public void setMayDiffer(String mayDiffer) {
        this.mayDiffer = FormText.kept(mayDiffer);
    }

    /** {@code true} where no verdict makes the build unstable; empty or {@code false} where it changes nothing. */
    public String getNeedVerdict() {
        return needVerdict;
    }

    @DataBoundSetter
    public void setNeedVerdict(String needVerdict) {
        this.needVerdict = FormText.kept(needVerdict);
    }

    /** The form of the step. */
    @Extension
    public static final class DescriptorImpl extends StepForm {
        @Override
        public String getFunctionName() {
            return "taoGate";
        }

        @Override
        public String getDisplayName() {
            return Messages.Gate_displayName();
        }

        @Override
        public @Nullable String argumentsToString(Map<String, Object> namedArgs) {
            return String.valueOf(namedArgs.get("kpi"));
        }
    }
}
