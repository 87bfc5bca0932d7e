package io.jenkins.plugins.tao.gate.statistics;

import java.util.Optional;
import java.util.OptionalDouble;

/**
 * One night as the usual rule saw it when it was the newest.
 *
 * @param night its values
 * @param call what was said
 * @param value the mean of its runs in the metric's unit; empty when it was no valid night
 * @param level what was known before it, oriented; empty while that was too little
 * @param slow the sum of small drops up to this night; 0 for a night without a value
 * @param known how many good nights there were before it
 * @param needed how many are needed
 */
public record Judged(
        Night night, Call call, OptionalDouble value, Optional<Level> level, double slow, int known, int needed) {}
