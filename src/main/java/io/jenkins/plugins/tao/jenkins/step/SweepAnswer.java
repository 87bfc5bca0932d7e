package io.jenkins.plugins.tao.jenkins.step;

import hudson.model.Result;
import io.jenkins.plugins.tao.jenkins.run.TaoFailure;
import io.jenkins.plugins.tao.sweep.CellEnd;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jenkinsci.plugins.workflow.steps.FlowInterruptedException;

/** What {@code taoSweep} answers, or fails with, once all its cells have ended. */
record SweepAnswer(List<SweepCell> cells) {
    boolean success() {
        return bad().isEmpty();
    }

    /** The ids of the cells that did not succeed. */
    List<String> failed() {
        return bad().stream().map(cell -> cell.cell().id()).toList();
    }

    String summary() {
        return bad().size() + " of " + cells.size() + " cells did not succeed";
    }

    Map<String, Object> value(Optional<CellEnd> best, List<? extends Object> groups) {
        List<CellEnd> ends = cells.stream().map(SweepCell::end).toList();
        return value(success(), ends, cells.stream().map(SweepCell::answer).toList(), best, groups);
    }

    /** The value of the step: maps and lists that a Pipeline keeps over a restart. */
    static Map<String, Object> value(
            boolean success,
            List<CellEnd> ends,
            List<Map<String, Object>> all,
            Optional<CellEnd> best,
            List<?> groups) {
        LinkedHashMap<String, Object> value = new LinkedHashMap<>();
        value.put("success", success);
        value.put("cells", new ArrayList<>(all));
        value.put(
                "failed",
                ends.stream()
                        .filter(CellEnd::bad)
                        .map(end -> end.cell().id())
                        .collect(Collectors.toCollection(ArrayList::new)));
        value.put("best", best.map(end -> all.get(ends.indexOf(end))).orElse(null));
        value.put("groups", groups);
        return value;
    }

    Throwable failure() {
        List<SweepCell> bad = bad();
        String what = summary() + ":\n" + bad.stream().map(SweepCell::describe).collect(Collectors.joining("\n"));
        if (bad.stream().allMatch(SweepCell::wasCancelled)) {
            return new FlowInterruptedException(Result.ABORTED, false, new JobCancelled(what));
        }
        return new TaoFailure(what, bad.stream().allMatch(SweepCell::isInfrastructure));
    }

    private List<SweepCell> bad() {
        return cells.stream().filter(SweepCell::bad).toList();
    }
}
