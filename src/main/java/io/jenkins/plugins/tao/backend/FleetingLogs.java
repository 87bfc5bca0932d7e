package io.jenkins.plugins.tao.backend;

/**
 * What a {@link BackendType} says besides when the logs of its jobs can be gone before they are fetched, because they go
 * with the place that the job ran in. Whoever follows such a log keeps what was followed.
 */
public interface FleetingLogs {}
