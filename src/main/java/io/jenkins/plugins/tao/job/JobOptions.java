package io.jenkins.plugins.tao.job;

/**
 * What only one backend understands of a job, such as a Slurm partition. Each backend has one record that implements
 * this; a job for a target of another backend is refused.
 */
public interface JobOptions {}
