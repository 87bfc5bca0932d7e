package io.jenkins.plugins.tao.jenkins.page;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The rows of a build's page at one moment, made once for all who look; never changed.
 *
 * @param totals {@code 3 jobs: 1 running, 2 succeeded}
 */
record JobStates(boolean building, List<JobRow> rows, String totals, TaggedJson json) {
    static JobStates of(Collection<JobRecord> records, boolean building) {
        List<JobRow> rows = records.stream().map(JobRow::new).toList();
        String totals = totals(rows);
        return new JobStates(building, rows, totals, new TaggedJson(render(building, rows, totals)));
    }

    private static String totals(List<JobRow> rows) {
        Map<JobKind, Long> counts =
                rows.stream().collect(Collectors.groupingBy(JobRow::kind, LinkedHashMap::new, Collectors.counting()));
        String jobs = rows.size() == 1 ? "1 job" : rows.size() + " jobs";
        String parts = Arrays.stream(JobKind.values())
                .filter(counts::containsKey)
                .map(kind -> counts.get(kind) + " " + kind.words())
                .collect(Collectors.joining(", "));
        return parts.isEmpty() ? jobs : jobs + ": " + parts;
    }

    private static String render(boolean building, List<JobRow> rows, String totals) {
        ObjectNode all = JsonNodeFactory.instance.objectNode();
        all.put("complete", !building && rows.stream().allMatch(JobRow::settled));
        all.put("totals", totals);
        rows.forEach(row -> all.withArray("/jobs").add(row.json()));
        return all.toString();
    }
}
