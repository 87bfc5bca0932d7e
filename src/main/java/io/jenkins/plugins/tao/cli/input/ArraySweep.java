package io.jenkins.plugins.tao.cli.input;

import io.jenkins.plugins.tao.backend.BackendType;
import io.jenkins.plugins.tao.backend.Carrying;
import io.jenkins.plugins.tao.bind.SpecPaths;
import io.jenkins.plugins.tao.cli.terminal.UsageException;
import io.jenkins.plugins.tao.job.JobSpec;
import io.jenkins.plugins.tao.sweep.ArrayCommand;
import io.jenkins.plugins.tao.sweep.Cell;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A sweep that is carried by one job of the target whose members are its cells.
 *
 * @param sweep what the job file says
 * @param request what was asked for
 */
public record ArraySweep(Sweeping sweep, JobRequest request) {
    List<Cell> cells() {
        return sweep.parts().stream().map(Sweeping.Part::cell).toList();
    }

    /** Refuses what such a job cannot do. */
    public void check(BackendType type) throws UsageException {
        if (!(type instanceof Carrying)) {
            throw refused("the target's backend '" + type.name()
                    + "' has no jobs with members that keep results and exit codes apart");
        }
        boolean judgesCells =
                !sweep.terms().endEarly().isEmpty() || !sweep.groupGates().isEmpty();
        Optional<String> why = ArrayCommand.whyNot(cells().get(0), judgesCells);
        if (why.isPresent()) {
            throw refused(why.get());
        }
    }

    private UsageException refused(String why) {
        return new UsageException(request.file() + ": 'carry: array' does not fit: " + why
                + ". Leave out 'carry': then each cell is a separate job.");
    }

    /** The request for the one job, in whose spec tokens stand for the values of axes. */
    public JobRequest whole(Carrying type) {
        Map<String, String> options = type.members(
                cells().size(), Math.min(cells().size(), sweep.terms().maxParallel()));
        List<JobRequest.Replacement> all = new ArrayList<>();
        ArrayCommand.tokens(cells().get(0))
                .forEach((axis, token) ->
                        all.add(new JobRequest.Replacement(Sweeping.CELL + axis, List.of("spec", axis), token, true)));
        options.forEach((name, value) ->
                all.add(new JobRequest.Replacement(Sweeping.CELL + name, List.of("options", name), value, false)));
        return request.with(all);
    }

    /**
     * The job that carries the cells.
     *
     * @param whole the job of {@link #whole}
     * @param each the jobs that the cells would be, in order
     */
    public JobSpec carried(JobSpec whole, List<JobSpec> each, Carrying type) throws UsageException {
        try {
            List<ArrayCommand.Member> members = new ArrayList<>();
            for (int i = 0; i < each.size(); i++) {
                JobSpec job = each.get(i);
                members.add(ArrayCommand.member(cells().get(i), axis -> SpecPaths.value(job.spec(), axis)));
            }
            String command = new ArrayCommand(type.indexVariable()).render(members, whole.command());
            return whole.toBuilder().command(command).build();
        } catch (IllegalArgumentException e) {
            throw new UsageException(request.file() + ": " + e.getMessage() + ".", e);
        }
    }
}
