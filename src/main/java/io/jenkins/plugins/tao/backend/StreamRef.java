package io.jenkins.plugins.tao.backend;

import io.jenkins.plugins.tao.job.JobHandle;

/** One stream of one job. */
public record StreamRef(JobHandle job, Stream stream) {}
