/** What speaks against a job before it is sent: partitions, limits, paths, tools. Above {@code submit}. */
@NullMarked
package io.jenkins.plugins.tao.backend.slurm.checks;

import org.jspecify.annotations.NullMarked;
