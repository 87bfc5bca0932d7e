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
        return summary(ends());
    }

    static String summary(List<CellEnd> ends) {
        return ends.stream().filter(CellEnd::bad).count() + " of " + ends.size() + " cells did not succeed";
    }

    private List<CellEnd> ends() {
        return cells.stream().map(SweepCell::end).toList();
    }

    Map<String, Object> value(Optional<CellEnd> best, List<? extends Object> groups) {
        return value(success(), ends(), cells.stream().map(SweepCell::answer).toList(), best, groups);
    }

    /** What a Pipeline gets of one cell. */
    static Map<String, Object> cell(CellEnd end, String token, String resultsDir) {
        LinkedHashMap<String, Object> cell = new LinkedHashMap<>();
        cell.put("id", end.cell().id());
        cell.put("values", new LinkedHashMap<>(end.cell().values()));
        cell.put("success", end.succeeded());
        cell.put("outcome", end.outcome());
        cell.put("message", end.note());
        cell.put("kpis", new LinkedHashMap<>(end.kpis()));
        cell.put("token", token);
        cell.put("resultsDir", resultsDir);
        return cell;
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
