/** What a target and a job may say of Slurm, and the folders of a job. Above {@code networks}. */
@NullMarked
package io.jenkins.plugins.tao.backend.slurm.options;

import org.jspecify.annotations.NullMarked;
