package io.jenkins.plugins.tao.jenkins.step;

import static io.jenkins.plugins.tao.job.Require.require;

import io.jenkins.plugins.tao.backend.BackendType;
import io.jenkins.plugins.tao.backend.Carrying;
import io.jenkins.plugins.tao.bind.CommandOptions;
import io.jenkins.plugins.tao.bind.SpecPaths;
import io.jenkins.plugins.tao.jenkins.config.FormText;
import io.jenkins.plugins.tao.jenkins.config.JobOptionsConfiguration;
import io.jenkins.plugins.tao.jenkins.config.PipelineText;
import io.jenkins.plugins.tao.sweep.ArrayCommand;
import io.jenkins.plugins.tao.sweep.Cell;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Makes the one job whose members are the cells of a sweep. */
final class CarriedSweep {
    private static final String LEAVE_OUT = "; leave out carry: then each cell is a separate job";

    private CarriedSweep() {}

    /**
     * Refuses what such a job cannot do, before anything is read.
     *
     * @throws IllegalArgumentException saying what
     */
    static void check(SweepStep step) {
        require(step.getTargets().isEmpty(), "carry: array takes one target, and targets names several%s", LEAVE_OUT);
        boolean judgesCells = !step.rules().isEmpty() || !step.gates().isEmpty();
        ArrayCommand.whyNot(step.chosen().get(0), judgesCells)
                .ifPresent(why -> require(false, "carry: array does not fit: %s%s", why, LEAVE_OUT));
    }

    /**
     * The job.
     *
     * @param step with what its files hold
     * @param name what the sweep is called
     * @throws IllegalArgumentException if the target's jobs have no members, or a value does not fit
     */
    static RunStep job(SweepStep step, List<Cell> cells, String name, BackendType type) {
        require(
                type instanceof Carrying,
                "carry: array does not fit: the target's backend '%s' has no jobs with members that keep results and exit"
                        + " codes apart%s",
                type.name(),
                LEAVE_OUT);
        Carrying kind = (Carrying) type;
        List<ArrayCommand.Member> members = new ArrayList<>();
        for (Cell cell : cells) {
            Map<String, Object> spec = spec(step.of(cell, name)); // checked as a job of its own would be
            members.add(ArrayCommand.member(cell, axis -> SpecPaths.value(spec, axis)));
        }
        String command = CommandOptions.added(step.getCommand(), FormText.map("args", step.getArgs()));
        RunStep job = step.carrying(new ArrayCommand(kind.indexVariable()).render(members, command));
        Map<String, Object> set = new LinkedHashMap<>(FormText.map("set", step.getSet()));
        set.putAll(ArrayCommand.tokens(cells.get(0)));
        job.setSet(String.valueOf(PipelineText.flatten(Map.of("set", set)).get("set")));
        job.setArgs("");
        job.setName(name);
        job.setFailOnError(false);
        int most = Math.min(cells.size(), step.terms().maxParallel());
        job.setOptions(
                JobOptionsConfiguration.carrying(type.name(), step.getOptions(), kind.members(cells.size(), most)));
        return job;
    }

    private static Map<String, Object> spec(RunStep cell) {
        return SpecPaths.replaced(FormText.map("spec", cell.getSpec()), FormText.map("set", cell.getSet()));
    }
}
