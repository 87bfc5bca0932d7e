/**
 * The vocabulary: what a job asks for, how it is found again, how it is doing and how it ended. Values only; start at
 * {@link io.jenkins.plugins.tao.job.JobSpec}. May use the JDK alone.
 */
@NullMarked
package io.jenkins.plugins.tao.job;

import org.jspecify.annotations.NullMarked;
