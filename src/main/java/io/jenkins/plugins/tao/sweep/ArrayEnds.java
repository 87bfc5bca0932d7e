package io.jenkins.plugins.tao.sweep;

import io.jenkins.plugins.tao.record.MetricSummary;
import io.jenkins.plugins.tao.record.RunRecord;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** How the cells ended that the members of one job are. Pure. */
public final class ArrayEnds {
    /** Of a cell of which the record of the whole does not tell. */
    public static final String NOT_KNOWN = "not known";

    private ArrayEnds() {}

    /**
     * How each ended, as far as the record of the whole tells.
     *
     * @param cells in the order of the members
     */
    public static List<CellEnd> of(List<Cell> cells, RunRecord record) {
        List<CellEnd> ends = new ArrayList<>();
        for (int index = 0; index < cells.size(); index++) {
            String member = "members/each/" + index + "/";
            Map<String, Double> kpis = new LinkedHashMap<>();
            int own = index;
            record.metricsOfMembers()
                    .forEach(name -> last(record, name, own).ifPresent(value -> kpis.put(name, value)));
            ends.add(new CellEnd(
                    cells.get(index),
                    record.text(member + "outcome").orElse(NOT_KNOWN),
                    kpis,
                    record.id() + "[" + index + "]",
                    record.text(member + "detail").orElse("")));
        }
        return ends;
    }

    private static Optional<Double> last(RunRecord record, String metric, int index) {
        return Optional.ofNullable(record.ofMembers(metric).get(index)).map(MetricSummary::last);
    }
}
