package io.jenkins.plugins.tao.sweep;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * How one cell ended.
 *
 * @param cell which one
 * @param outcome {@code succeeded}, {@code failed}, {@code cancelled}, {@code lost}, or {@code not started}
 * @param kpis the newest value of each metric
 * @param job what people call its job; blank without one
 */
public record CellEnd(Cell cell, String outcome, Map<String, Double> kpis, String job) {
    public CellEnd {
        kpis = Collections.unmodifiableMap(new LinkedHashMap<>(kpis));
    }

    /** Whether its job did what it should. */
    public boolean succeeded() {
        return outcome.equals("succeeded");
    }
}
