package io.jenkins.plugins.tao.jenkins.page;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.jenkins.plugins.tao.gate.Changes;
import io.jenkins.plugins.tao.gate.Changes.Change;
import io.jenkins.plugins.tao.gate.RunComparison;
import io.jenkins.plugins.tao.gate.criteria.Comparability;
import io.jenkins.plugins.tao.record.RunOrigin;
import io.jenkins.plugins.tao.record.RunRecord;
import java.io.IOException;
import java.util.List;

/** A job of a build beside the job of another that did the same work. */
public record ComparedJob(RunRecord before, RunRecord now, JobFolder folderBefore, JobFolder folderNow) {
    private static final List<String> COLUMNS = List.of("metric", "before", "now", "change", "words");

    public String getId() {
        return now.id();
    }

    /** What it did, and which of several jobs of the build it is. */
    public String getWork() {
        return now.origin()
                .fact(RunOrigin.CELL)
                .map(cell -> now.workName() + ", " + cell)
                .orElseGet(() -> now.jobName().equals(now.workName())
                        ? now.workName()
                        : now.jobName() + " (" + now.workName() + ")");
    }

    public String getIdBefore() {
        return before.id();
    }

    /** Metric, both values, the change, and the change in words with its direction. */
    public List<List<String>> getRows() {
        return new RunComparison(List.of(before), List.of(now)).rows();
    }

    /** What of the request, the spec and the machines is another now, the likeliest cause first. */
    public List<List<String>> getChanges() {
        return changes().stream()
                .map(change -> List.of(change.what(), change.before(), change.now()))
                .toList();
    }

    private List<Change> changes() {
        return new Changes(before, now).all();
    }

    /** Why the numbers of both cannot be compared; empty where they can. */
    public String getIncomparable() {
        return String.join("; ", Comparability.differences(now, before));
    }

    ObjectNode json() throws IOException {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        json.put("id", getId()).put("idBefore", getIdBefore()).put("work", getWork());
        json.put("incomparable", getIncomparable());
        ArrayNode rows = json.putArray("metrics");
        for (List<String> row : getRows()) {
            ObjectNode cells = rows.addObject();
            for (int i = 0; i < COLUMNS.size(); i++) {
                cells.put(COLUMNS.get(i), row.get(i));
            }
        }
        ArrayNode changes = json.putArray("changes");
        changes()
                .forEach(change -> changes.addObject()
                        .put("what", change.what())
                        .put("before", change.before())
                        .put("now", change.now()));
        json.set("curves", JobCurves.ofSeries(folderNow.series()).json().path("curves"));
        json.set(
                "curvesBefore", JobCurves.ofSeries(folderBefore.series()).json().path("curves"));
        return json;
    }
}
