package io.jenkins.plugins.tao.sweep;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * How one cell ended.
 *
 * @param cell which one
 * @param outcome {@code succeeded}, {@code failed}, {@code cancelled}, {@code lost}, {@link #ENDED_EARLY}, or {@code not started}
 * @param kpis the newest value of each metric
 * @param job what people call its job; blank without one
 * @param note why it ended so, a sentence; blank after a success
 */
public record CellEnd(Cell cell, String outcome, Map<String, Double> kpis, String job, String note) {
    /** A rule found it hopeless: no failure of the sweep. */
    public static final String ENDED_EARLY = "ended early";

    private static final String CANCELLED = "cancelled";
    private static final String BY = "by ";

    public CellEnd {
        kpis = Collections.unmodifiableMap(new LinkedHashMap<>(kpis));
    }

    /** Without a note. */
    public CellEnd(Cell cell, String outcome, Map<String, Double> kpis, String job) {
        this(cell, outcome, kpis, job, "");
    }

    /**
     * Of a job that ended; one that a rule cancelled was ended early.
     *
     * @param note of a cancelled job {@code by} and who cancelled it
     */
    public static CellEnd of(Cell cell, String outcome, Map<String, Double> kpis, String job, String note) {
        boolean early = outcome.equals(CANCELLED) && note.startsWith(BY) && Hopeless.ended(note.substring(BY.length()));
        return new CellEnd(cell, early ? ENDED_EARLY : outcome, kpis, job, note);
    }

    /** Whether its job did what it should. */
    public boolean succeeded() {
        return outcome.equals("succeeded");
    }

    /** Whether a rule ended it. */
    public boolean endedEarly() {
        return outcome.equals(ENDED_EARLY);
    }

    /** Whether it is a failure of the sweep. */
    public boolean bad() {
        return !succeeded() && !endedEarly();
    }
}
