package io.jenkins.plugins.tao.jenkins.step;

import static io.jenkins.plugins.tao.job.Require.require;

import hudson.Extension;
import hudson.util.ListBoxModel;
import io.jenkins.plugins.tao.bind.SpecPaths;
import io.jenkins.plugins.tao.file.SweepAxes;
import io.jenkins.plugins.tao.file.ValueReader;
import io.jenkins.plugins.tao.jenkins.config.FormText;
import io.jenkins.plugins.tao.jenkins.config.PipelineText;
import io.jenkins.plugins.tao.jenkins.run.BuildScope;
import io.jenkins.plugins.tao.jenkins.run.WorkspaceFiles;
import io.jenkins.plugins.tao.jenkins.verdict.BuildGate;
import io.jenkins.plugins.tao.job.JobKey;
import io.jenkins.plugins.tao.job.JobSpec;
import io.jenkins.plugins.tao.journal.Journal;
import io.jenkins.plugins.tao.record.RunOrigin;
import io.jenkins.plugins.tao.record.RunRecord;
import io.jenkins.plugins.tao.sweep.Best;
import io.jenkins.plugins.tao.sweep.Cell;
import io.jenkins.plugins.tao.sweep.CellEnd;
import io.jenkins.plugins.tao.sweep.EarlyRule;
import io.jenkins.plugins.tao.sweep.Matrix;
import io.jenkins.plugins.tao.sweep.Repeats;
import io.jenkins.plugins.tao.sweep.SweepTable;
import io.jenkins.plugins.tao.sweep.SweepTerms;
import java.math.BigDecimal;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import lombok.Getter;
import lombok.Setter;
import org.jenkinsci.plugins.structs.describable.UninstantiatedDescribable;
import org.jenkinsci.plugins.workflow.steps.StepContext;
import org.jenkinsci.plugins.workflow.steps.StepExecution;
import org.jspecify.annotations.Nullable;
import org.kohsuke.stapler.DataBoundConstructor;
import org.kohsuke.stapler.DataBoundSetter;
import org.kohsuke.stapler.verb.POST;

/**
 * {@code taoSweep}: runs a job for each cell of a matrix of values, some at a time, waits for all, and returns a table of them with the best
 * one. It has the parameters of {@code taoRun}, which hold for each cell.
 */
public final class SweepStep extends RunStep {
    private static final long serialVersionUID = 1L;
    private static final String JOBS = "jobs";
    private static final String ARRAY = "array";
    private static final int MOST_PLACES = 9;

    /** YAML: path of a value to a list, or to a range such as {@code 0..4}. */
    @Getter
    @Setter(onMethod_ = @DataBoundSetter)
    private String matrix = "";

    /** How many cells run at a time, a whole number; empty for all. */
    @Getter
    @Setter(onMethod_ = @DataBoundSetter)
    private String maxParallel = "";

    /** By which metric the best cell is chosen: {@code max METRIC} or {@code min METRIC}. */
    @Getter
    @Setter(onMethod_ = @DataBoundSetter)
    private String best = "";

    /** The ids of the cells to run; empty for all. */
    @Getter
    @Setter(onMethod_ = @DataBoundSetter)
    private String cells = "";

    private @Nullable String endEarly;

    /** The axes whose cells repeat each other; empty for those called {@code seed} or {@code random_seed}. */
    @Getter
    @Setter(onMethod_ = @DataBoundSetter)
    private String repeats = "";

    /** YAML: gates for the cells that repeat each other together, one a line, as in {@code {kpi: val_acc, atLeast: 0.42}}. */
    @Getter
    @Setter(onMethod_ = @DataBoundSetter)
    private String groupGates = "";

    /** {@code jobs}, or {@code array} for one job that carries all cells; empty for the first. */
    @Getter
    @Setter(onMethod_ = @DataBoundSetter)
    private String carry = "";

    private @Nullable String carried;
    /** Whether the matrix is that of a job file. */
    private boolean filed;

    @DataBoundConstructor
    public SweepStep(@Nullable String target, @Nullable String command) {
        super(target, command);
    }

    @Override
    StepExecution begin(StepContext context) {
        if (!getFile().isEmpty()) {
            return super.begin(context);
        }
        checkWait();
        chosen();
        terms();
        gates();
        rules();
        if (carries()) {
            CarriedSweep.check(this);
            return new CarriedExecution(context, this);
        }
        return new SweepExecution(context, this);
    }

    /** When a cell is hopeless and is ended, as in {@code median of val_acc after 5 epochs}; empty for never. */
    @Override
    public String getEndEarly() {
        return FormText.kept(endEarly);
    }

    @Override
    @DataBoundSetter
    public void setEndEarly(@Nullable String endEarly) {
        this.endEarly = FormText.kept(endEarly);
    }

    /** A copy that runs {@code command}, which gives each member its cell. */
    RunStep carrying(String command) {
        SweepStep copy = (SweepStep) with(WorkspaceFiles.none());
        copy.carried = command;
        return copy;
    }

    @Override
    public String getCommand() {
        return carried == null ? super.getCommand() : carried;
    }

    /** Whether one job carries all cells. */
    boolean carries() {
        String word = FormText.text(getCarry()).orElse(JOBS);
        require(word.equals(JOBS) || word.equals(ARRAY), "carry must be '%s' or '%s', was '%s'", JOBS, ARRAY, word);
        return word.equals(ARRAY);
    }

    SweepTerms terms() {
        return new SweepTerms(
                FormText.number("maxParallel", getMaxParallel()).orElse(Matrix.MOST_CELLS),
                FormText.text(getBest()).map(Best::parse),
                EarlyRule.parse(getEndEarly()),
                new Repeats(FormText.list(getRepeats())).of(axes().matrix().axes()));
    }

    /** The rules of {@code endEarly} with their directions, as far as what the command trains tells them. */
    List<EarlyRule> rules() {
        SweepTerms terms = terms();
        JobSpec job = JobSpec.of(getCommand()).build();
        RunRecord planned = Journal.planned(job, new JobKey("cell"), getTarget(), RunOrigin.UNKNOWN, text -> text);
        return terms.endEarly().stream()
                .map(rule -> rule.directed(terms.best(), planned))
                .toList();
    }

    /** The gates of groups, each checked. */
    List<Map<String, String>> gates() {
        return BuildGate.read("groupGates", getGroupGates());
    }

    /** Takes the matrix of a job file, whose cells have the ids that a terminal gives them. */
    void setFiled(SweepAxes axes) {
        matrix = axes.render();
        filed = true;
    }

    private SweepAxes axes() {
        return SweepAxes.of(
                ValueReader.value("matrix", getMatrix()), (written, value) -> filed ? written : text(value));
    }

    /**
     * The cells to run.
     *
     * @throws IllegalArgumentException if the matrix is none or too large, or {@code cells} names one that it has not
     */
    List<Cell> chosen() {
        require(
                getResultsDir().isEmpty(),
                "the cells of a sweep cannot share one resultsDir; without it each has its own directory");
        List<Cell> all = axes().matrix().cells();
        List<String> wanted = FormText.list(getCells());
        if (wanted.isEmpty()) {
            return all;
        }
        for (String id : wanted) {
            require(
                    all.stream().anyMatch(cell -> cell.id().equals(id)),
                    "cells names '%s', and the matrix has no such cell",
                    id);
        }
        return all.stream().filter(cell -> wanted.contains(cell.id())).toList();
    }

    /** Logs the table of {@code ends} and the best cell, which it returns; empty where that is not known. */
    Optional<CellEnd> tell(BuildScope scope, List<CellEnd> ends) {
        Optional<Best> rule = terms().best();
        Optional<CellEnd> winner = rule.flatMap(best -> best.of(ends));
        SweepTable.lines(ends, rule).forEach(line -> scope.say("  " + line));
        winner.ifPresent(cell -> scope.say("the best cell by " + getBest() + " is "
                + cell.cell().id() + ": " + cell.cell().label()));
        return winner;
    }

    /** The same number has the same text, however a Pipeline writes it: a cell keeps its id. */
    private static String text(Object value) {
        if (!(value instanceof Double number) || !Double.isFinite(number)) {
            return String.valueOf(value);
        }
        BigDecimal exact = new BigDecimal(number.toString()).stripTrailingZeros();
        return Math.abs(exact.scale()) <= MOST_PLACES ? exact.toPlainString() : exact.toString();
    }

    /**
     * The job of {@code cell}. Its name ends with the id of the cell, so its nights are compared with one another.
     *
     * @param name what the sweep is called
     * @throws IllegalArgumentException if a path of the spec is a slip
     */
    RunStep of(Cell cell, String name) {
        Map<String, Object> set = new LinkedHashMap<>(FormText.map("set", getSet()));
        Map<String, Object> env = new LinkedHashMap<>(FormText.map("env", getEnv()));
        Map<String, Object> args = new LinkedHashMap<>(FormText.map("args", getArgs()));
        Map<String, Object> given = FormText.map("spec", getSpec());
        Set<String> known = SpecPaths.known(SpecPaths.replaced(given, set));
        SweepAxes axes = axes();
        cell.values().forEach((path, text) -> {
            String part = SpecPaths.part(path, known);
            if (part.isEmpty()) {
                set.put(path, axes.value(path, text));
            } else {
                (part.equals("env") ? env : args).put(path.substring(part.length() + 1), text);
            }
        });
        Map<String, Object> spec = SpecPaths.replaced(given, set);
        require(!spec.containsKey("results_dir"), "the cells of a sweep cannot share one results_dir of the spec");
        RunStep job = (RunStep) with(WorkspaceFiles.none());
        job.setName(name + "-" + cell.id());
        Map<String, Object> flat = PipelineText.flatten(Map.of("set", set, "env", env, "args", args));
        job.setSet(String.valueOf(flat.get("set")));
        job.setEnv(String.valueOf(flat.get("env")));
        job.setArgs(String.valueOf(flat.get("args")));
        job.setFailOnError(false);
        job.tellOrigin(Map.of(
                RunOrigin.CELL, cell.label(),
                RunOrigin.SWEEP, name,
                RunOrigin.GROUP, terms().repeats().name(cell)));
        return job;
    }

    /** The form of the step. */
    @Extension
    public static final class DescriptorImpl extends RunStep.DescriptorImpl {
        @Override
        public UninstantiatedDescribable customUninstantiate(UninstantiatedDescribable step) {
            UninstantiatedDescribable natural = super.customUninstantiate(step);
            return natural.withArguments(PipelineText.unflatten(natural.getArguments(), List.of("matrix")));
        }

        @Override
        Map<String, Consumer<String>> readings() {
            Map<String, Consumer<String>> all = new HashMap<>(super.readings());
            all.put("matrix", DescriptorImpl::readMatrix);
            all.put("maxParallel", text -> FormText.number("maxParallel", text));
            all.put("endEarly", text -> EarlyRule.parse(text));
            all.put("groupGates", text -> BuildGate.read("groupGates", text));
            all.put("best", text -> FormText.text(text).ifPresent(rule -> Best.parse(rule)));
            return all;
        }

        private static void readMatrix(String text) {
            SweepStep step = new SweepStep("", "");
            step.setMatrix(text);
            var unused = step.chosen();
        }

        /** Offers what carries the cells. */
        @POST
        public ListBoxModel doFillCarryItems() {
            ListBoxModel items = new ListBoxModel();
            items.add(Messages.Sweep_carry_jobs(), "");
            items.add(Messages.Sweep_carry_array(), ARRAY);
            return items;
        }
    }
}
