package io.jenkins.plugins.tao.sweep;

import io.jenkins.plugins.tao.gate.Gate;
import io.jenkins.plugins.tao.gate.GateReport;
import io.jenkins.plugins.tao.gate.criteria.Blessed;
import io.jenkins.plugins.tao.gate.criteria.Criterion;
import io.jenkins.plugins.tao.gate.criteria.Evidence;
import io.jenkins.plugins.tao.record.RunOrigin;
import io.jenkins.plugins.tao.record.RunRecord;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Judges the cells of a sweep together, group by group: the cells of a group repeat each other, and are one night of several seeds. Each group is
 * compared with the same group of earlier sweeps.
 *
 * @param criteria what is asked
 * @param history the runs before, of any job and cell; those that belong to no group do not count
 * @param levels the runs that were blessed as a level, any order
 * @param baselines blessed runs by name
 * @param unreadable baselines that cannot be read: name and why
 */
public record GroupGates(
        List<Criterion> criteria,
        List<RunRecord> history,
        List<Blessed> levels,
        Map<String, Blessed> baselines,
        Map<String, String> unreadable) {
    public GroupGates {
        criteria = List.copyOf(criteria);
        history = List.copyOf(history);
        levels = List.copyOf(levels);
    }

    /**
     * What came of one group.
     *
     * @param group its name, such as {@code train.lr=1e-3}
     * @param runs its records
     * @param report the findings
     */
    public record Answer(String group, List<RunRecord> runs, GateReport report) {
        public Answer {
            runs = List.copyOf(runs);
        }

        /** Which cells were judged, in words. */
        public String words() {
            return group.equals(Repeats.ALL)
                    ? "all " + runs.size() + " cells"
                    : "the " + runs.size() + " cells of " + group;
        }
    }

    /** Judges the groups that the records of {@code tonight} belong to, in order. */
    public List<Answer> judge(List<RunRecord> tonight) {
        Map<String, List<RunRecord>> groups = new LinkedHashMap<>();
        for (RunRecord run : tonight) {
            group(run)
                    .ifPresent(name -> groups.computeIfAbsent(name, unknown -> new ArrayList<>())
                            .add(run));
        }
        List<Answer> answers = new ArrayList<>();
        groups.forEach((name, runs) -> answers.add(new Answer(name, runs, Gate.judge(criteria, evidence(name, runs)))));
        return answers;
    }

    private Evidence evidence(String name, List<RunRecord> runs) {
        RunRecord first = runs.get(0);
        List<RunRecord> before = history.stream()
                .filter(run -> group(run).equals(Optional.of(name)))
                .filter(run -> !run.label().equals(first.label()))
                .filter(run -> run.submittedAt().isBefore(first.submittedAt()))
                .toList();
        return new Evidence(runs, before, levels, baselines, unreadable);
    }

    private static Optional<String> group(RunRecord run) {
        return run.origin().fact(RunOrigin.GROUP);
    }
}
