/** Jobs that were sent: asked after, read, cancelled, diagnosed and tidied. Above {@code array}. */
@NullMarked
package io.jenkins.plugins.tao.backend.slurm.poll;

import org.jspecify.annotations.NullMarked;
