package io.jenkins.plugins.tao.status;

import java.util.OptionalDouble;

/**
 * One value of one metric, as a {@code status.json} tells it.
 *
 * @param metric its name as written; may hold blanks, slashes and brackets
 * @param epoch the epoch it belongs to, counted as the training counts; empty when none is reported, as for an evaluation
 * @param step the step, when reported
 * @param value the value, {@code NaN} and infinities included
 */
public record MetricPoint(String metric, OptionalDouble epoch, OptionalDouble step, double value) {}
