package io.jenkins.plugins.tao.gate.criteria;

import io.jenkins.plugins.tao.record.RunRecord;
import java.time.Instant;

/**
 * A run that a person called good.
 *
 * @param name the name of the baseline; {@link #LEVEL} is also a new level of its series
 * @param record the run, whole: it outlives its build
 * @param by who did it
 * @param at when
 * @param why in that person's words
 */
public record Blessed(String name, RunRecord record, String by, Instant at, String why) {
    /** The baseline without a name: a new level begins with it. */
    public static final String LEVEL = "baseline";
}
