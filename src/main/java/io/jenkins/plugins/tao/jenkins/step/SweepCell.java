package io.jenkins.plugins.tao.jenkins.step;

import io.jenkins.plugins.tao.jenkins.run.TaoResult;
import io.jenkins.plugins.tao.sweep.Cell;
import io.jenkins.plugins.tao.sweep.CellEnd;
import java.io.Serializable;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** One cell of a sweep under way: waiting, running, or ended by a result or a failure. Saved with the build. */
final class SweepCell implements Serializable {
    private static final long serialVersionUID = 1L;
    private static final String NOT_STARTED = "not started";

    private final LinkedHashMap<String, String> values;
    private @Nullable RunExecution run;
    private @Nullable TaoResult result;
    private @Nullable String failure;

    SweepCell(Cell cell) {
        values = new LinkedHashMap<>(cell.values());
    }

    Cell cell() {
        return new Cell(values);
    }

    boolean waits() {
        return run == null && !ended();
    }

    boolean ended() {
        return result != null || failure != null;
    }

    boolean succeeded() {
        return result != null && result.isSuccess();
    }

    /** The run that is under way; null while the cell waits, and when it has ended. */
    @Nullable
    RunExecution running() {
        return ended() ? null : run;
    }

    void begin(RunExecution execution) {
        run = execution;
    }

    void end(@Nullable TaoResult how, @Nullable String why) {
        result = how;
        failure = why;
        run = null;
    }

    /** Whether it is a failure of the sweep: one that a rule ended early is none. */
    boolean bad() {
        return end().bad();
    }

    /** The id of its job; empty without one. */
    Optional<String> jobId() {
        return Optional.ofNullable(result).map(TaoResult::getId);
    }

    boolean isInfrastructure() {
        return result != null && result.isInfrastructure();
    }

    boolean wasCancelled() {
        return result != null && result.getStatus().equals("ABORTED");
    }

    /** One line for a person. */
    String describe() {
        return cell().label() + ": " + (result == null ? failure : result.toString());
    }

    CellEnd end() {
        TaoResult known = result;
        return known == null
                ? new CellEnd(cell(), NOT_STARTED, Map.of(), "", failure == null ? "" : failure)
                : CellEnd.of(
                        cell(),
                        known.getOutcome(),
                        known.getKpis(),
                        known.getTarget() + "/" + known.getNativeId(),
                        known.getMessage());
    }

    /** What a Pipeline gets of it. */
    Map<String, Object> answer() {
        TaoResult known = result;
        return known == null
                ? SweepAnswer.cell(end(), "", "")
                : SweepAnswer.cell(end(), known.getToken(), known.getResultsDir());
    }
}
