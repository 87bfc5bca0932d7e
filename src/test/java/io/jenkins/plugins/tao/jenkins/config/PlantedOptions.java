package io.jenkins.plugins.tao.jenkins.config;

import io.jenkins.plugins.tao.job.JobOptions;
import io.jenkins.plugins.tao.job.text.Option;
import java.time.Duration;
import java.util.Optional;

/**
 * Options with one that is new.
 *
 * @param warmUp how long the command runs before it is watched
 */
public record PlantedOptions(
        @Option(since = "0.9.0", defaultsTo = "5 minutes") Optional<Duration> warmUp) implements JobOptions {}
