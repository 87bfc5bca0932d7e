package io.jenkins.plugins.tao.gate.statistics;

/** Entry of the history of one training and metric. The events of a series are in the order in which they happened. */
public sealed interface SeriesEvent permits Sample, Blessing, NamedChange {}
