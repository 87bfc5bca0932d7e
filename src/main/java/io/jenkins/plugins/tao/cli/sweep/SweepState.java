package io.jenkins.plugins.tao.cli.sweep;

import io.jenkins.plugins.tao.cli.input.JobRequest;
import io.jenkins.plugins.tao.cli.input.Sweeping;
import io.jenkins.plugins.tao.journal.RecordJson;
import io.jenkins.plugins.tao.sweep.Cell;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * What this machine remembers of a sweep, beside the records of its jobs: enough to take it up again after the process was killed at any moment.
 *
 * @param id its id, with which the ids of its jobs begin
 * @param request what was asked for
 * @param rounds the cells that were asked for more than once, by their ids: how often
 * @param early the cells whose early end was ordered, and why; written before they are told to end
 * @param ends how cells ended
 */
public record SweepState(
        String id, JobRequest request, Map<String, Integer> rounds, Map<String, String> early, Map<String, End> ends) {
    public SweepState {
        rounds = copy(rounds);
        early = copy(early);
        ends = copy(ends);
    }

    /**
     * How a cell ended.
     *
     * @param outcome as {@code CellEnd} has it
     * @param kpis the newest value of each metric
     * @param job what people call its job
     * @param note why it ended so
     * @param code the exit code of its job alone
     */
    public record End(String outcome, Map<String, Double> kpis, String job, String note, int code) {
        public End {
            kpis = copy(kpis);
        }
    }

    private static <V> Map<String, V> copy(Map<String, V> map) {
        return new LinkedHashMap<>(Objects.requireNonNullElse(map, Map.of())); // of another version
    }

    /** A sweep of which nothing was sent. */
    static SweepState of(String id, JobRequest request) {
        return new SweepState(id, request, Map.of(), Map.of(), Map.of());
    }

    /** The same sweep as it is asked for now; of cells that it has still, all that is known stays. */
    SweepState asked(JobRequest now) {
        return new SweepState(id, now, rounds, early, ends);
    }

    int round(Cell cell) {
        return rounds.getOrDefault(cell.id(), 1);
    }

    public String key(Cell cell) {
        return Sweeping.key(id, cell, round(cell));
    }

    public Optional<End> end(Cell cell) {
        return Optional.ofNullable(ends.get(cell.id()));
    }

    SweepState withEnd(Cell cell, End end) {
        SweepState next = new SweepState(id, request, rounds, early, ends);
        next.ends.put(cell.id(), end);
        return next;
    }

    SweepState withEarly(Cell cell, String why) {
        SweepState next = new SweepState(id, request, rounds, early, ends);
        next.early.put(cell.id(), why);
        return next;
    }

    /** The same with a further round of the cell. */
    SweepState again(Cell cell) {
        SweepState next = new SweepState(id, request, rounds, early, ends);
        next.rounds.put(cell.id(), round(cell) + 1);
        next.ends.remove(cell.id());
        next.early.remove(cell.id());
        return next;
    }

    String render() {
        return RecordJson.file(this);
    }

    /**
     * Reads what {@link #render} wrote; keys it does not know pass by.
     *
     * @throws IllegalArgumentException if it is damaged
     */
    static SweepState parse(String text) {
        return RecordJson.parse("record", text, SweepState.class, state -> {
            Objects.requireNonNull(state.id(), "id");
            Objects.requireNonNull(state.request(), "request");
        });
    }
}
