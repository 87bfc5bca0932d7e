package io.jenkins.plugins.tao.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.jenkins.plugins.tao.backend.BackendType;
import io.jenkins.plugins.tao.backend.Carrying;
import io.jenkins.plugins.tao.bind.SpecPaths;
import io.jenkins.plugins.tao.job.JobSpec;
import io.jenkins.plugins.tao.sweep.ArrayCommand;
import io.jenkins.plugins.tao.sweep.Cell;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A sweep that is carried by one job of the target whose members are its cells.
 *
 * @param sweep what the job file says
 * @param request what was asked for
 */
record ArraySweep(Sweeping sweep, JobRequest request) {
    private static final JsonMapper JSON = new JsonMapper();

    List<Cell> cells() {
        return sweep.parts().stream().map(Sweeping.Part::cell).toList();
    }

    private Set<String> axes() {
        return cells().get(0).values().keySet();
    }

    private static boolean ofEnv(String axis) {
        return axis.startsWith("env.");
    }

    /** Refuses what such a job cannot do. */
    void check(BackendType type) throws UsageException {
        if (!(type instanceof Carrying)) {
            throw refused("the target's backend '" + type.name()
                    + "' has no jobs with members that keep results and exit codes apart");
        }
        if (!sweep.terms().endEarly().isEmpty() || !sweep.groupGates().isEmpty()) {
            throw refused("'endEarly' and 'groupGates' need cells that are jobs of their own");
        }
        if (axes().stream().anyMatch(axis -> axis.startsWith("args."))) {
            throw refused("an axis of 'args' changes the command itself");
        }
    }

    private UsageException refused(String why) {
        return new UsageException(request.file() + ": 'carry: array' does not fit: " + why
                + ". Leave out 'carry': then each cell is a job of its own.");
    }

    /** The request for the one job, in whose spec tokens stand for the values of axes. */
    JobRequest whole(Carrying type) {
        Map.Entry<String, String> option = type.members(
                cells().size(), Math.min(cells().size(), sweep.terms().maxParallel()));
        List<JobRequest.Replacement> all = new ArrayList<>();
        int number = 0;
        for (String axis : axes()) {
            if (!ofEnv(axis)) {
                all.add(new JobRequest.Replacement(
                        Sweeping.CELL + axis, List.of("spec", axis), ArrayCommand.token(number), true));
            }
            number++;
        }
        all.add(new JobRequest.Replacement(
                Sweeping.CELL + option.getKey(), List.of("options", option.getKey()), option.getValue(), false));
        return request.with(all);
    }

    /**
     * The job that carries the cells.
     *
     * @param whole the job of {@link #whole}
     * @param each the jobs that the cells would be, in order
     */
    JobSpec carried(JobSpec whole, List<JobSpec> each, Carrying type) throws UsageException {
        List<ArrayCommand.Member> members = new ArrayList<>();
        for (int i = 0; i < each.size(); i++) {
            members.add(member(cells().get(i), each.get(i)));
        }
        return whole.withCommand(new ArrayCommand(type.indexVariable()).render(members, whole.command()));
    }

    private static ArrayCommand.Member member(Cell cell, JobSpec job) throws UsageException {
        Map<String, String> env = new LinkedHashMap<>();
        Map<String, String> spec = new LinkedHashMap<>();
        int number = 0;
        for (Map.Entry<String, String> value : cell.values().entrySet()) {
            if (ofEnv(value.getKey())) {
                env.put(value.getKey().substring("env.".length()), value.getValue());
            } else {
                spec.put(ArrayCommand.token(number), literal(value.getKey(), job));
            }
            number++;
        }
        return new ArrayCommand.Member(env, spec);
    }

    private static String literal(String axis, JobSpec job) throws UsageException {
        Object at = job.spec();
        for (String key : SpecPaths.keys(axis, SpecPaths.known(job.spec()))) {
            at = at instanceof Map<?, ?> map ? map.get(key) : null;
        }
        try {
            return JSON.writeValueAsString(at);
        } catch (JsonProcessingException e) {
            throw new UsageException("The value of the axis '" + axis + "' cannot be written: " + e.getMessage(), e);
        }
    }
}
