package io.jenkins.plugins.tao.jenkins.config;

import io.jenkins.plugins.tao.job.JobOptions;
import java.time.Duration;
import java.util.Optional;

/**
 * Options with one that is new.
 *
 * @param warmUp how long the command runs before it is watched; empty for 5 minutes; since 0.9.0
 */
public record PlantedOptions(Optional<Duration> warmUp) implements JobOptions {}
