package io.jenkins.plugins.tao.gate.statistics;

import java.util.Optional;
import java.util.OptionalDouble;

/**
 * Answer for one run, as it was when the run was the newest.
 *
 * @param sample the run
 * @param result the answer
 * @param value the run's value in the metric's unit: the mean of its replicates on the scale of comparison; empty without one
 * @param baseline what it was compared with, on the scale of comparison; empty while too little was known. In a regression it is
 *     the frozen reference
 * @param state the state after it
 * @param slow the sum of small drops with this run, in standard deviations
 * @param lastGood the label of the newest run before the drop, as it seems now, that was never suspect: what a pair is run with,
 *     and what "what changed" compares with; empty when there is none
 * @param wantsRecheck whether a rerun or a pair would settle it: a suspect run, or the first red run of a regression
 */
public record EvaluatedSample(
        Sample sample,
        GateResult result,
        OptionalDouble value,
        Optional<BaselineStatistics> baseline,
        SeriesState state,
        double slow,
        String lastGood,
        boolean wantsRecheck) {}
