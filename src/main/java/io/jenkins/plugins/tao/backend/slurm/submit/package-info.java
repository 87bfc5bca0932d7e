/**
 * Jobs that are sent: the batch script, the image conversion before it, and the command that submits. Above {@code
 * poll}.
 */
@NullMarked
package io.jenkins.plugins.tao.backend.slurm.submit;

import org.jspecify.annotations.NullMarked;
