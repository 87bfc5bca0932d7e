package io.jenkins.plugins.tao.gate.statistics;

/**
 * Acceptance of a level by a user: from the blessed run on, its level is the usual one. It takes effect when it was given, not
 * when the blessed run was made: the answers of runs before the blessing stay as they are.
 *
 * @param run the blessed run, with its values; it may be missing from the series (deleted, or of another branch)
 * @param why the reason, as the user wrote it
 */
public record Blessing(Sample run, String why) implements SeriesEvent {}
