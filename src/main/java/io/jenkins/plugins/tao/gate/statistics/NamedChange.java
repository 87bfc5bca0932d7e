package io.jenkins.plugins.tao.gate.statistics;

/**
 * Change of the environment that begins a new level, such as a new image under {@code mustMatch: [image]}. Changes that do not
 * divide (driver, image, data stamp by default) are not events: runs are compared across them.
 *
 * @param what the change, such as {@code driver 535.104.12 (was 535.104.05)}
 */
public record NamedChange(String what) implements SeriesEvent {}
