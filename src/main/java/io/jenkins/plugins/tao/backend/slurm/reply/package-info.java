/** Words of Slurm, read: states, reasons, node lists, memory sizes, refusals. Above {@code options}. */
@NullMarked
package io.jenkins.plugins.tao.backend.slurm.reply;

import org.jspecify.annotations.NullMarked;
