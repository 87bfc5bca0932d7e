package io.jenkins.plugins.tao.jenkins.step;

import io.jenkins.plugins.tao.jenkins.run.TaoResult;
import io.jenkins.plugins.tao.sweep.CellEnd;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * What {@code taoSweep} answers where one job carried the cells.
 *
 * @param result how the job ended
 * @param ends how each of its members did, in order
 */
record CarriedAnswer(TaoResult result, List<CellEnd> ends) {
    String summary() {
        return bad().size() + " of " + ends.size() + " cells did not succeed";
    }

    private List<CellEnd> bad() {
        return ends.stream().filter(CellEnd::bad).toList();
    }

    /** The value of the step: maps and lists that a Pipeline keeps over a restart, as {@link SweepAnswer} has them. */
    Map<String, Object> value(Optional<CellEnd> best) {
        List<Map<String, Object>> all =
                IntStream.range(0, ends.size()).mapToObj(this::cell).toList();
        return SweepAnswer.value(result.isSuccess(), ends, all, best, new ArrayList<>());
    }

    private Map<String, Object> cell(int index) {
        CellEnd end = ends.get(index);
        LinkedHashMap<String, Object> cell = new LinkedHashMap<>();
        cell.put("id", end.cell().id());
        cell.put("values", new LinkedHashMap<>(end.cell().values()));
        cell.put("success", end.succeeded());
        cell.put("outcome", end.outcome());
        cell.put("message", end.note());
        cell.put("kpis", new LinkedHashMap<>(end.kpis()));
        cell.put("token", result.getToken());
        cell.put("resultsDir", result.getResultsDir() + "/" + index);
        return cell;
    }
}
