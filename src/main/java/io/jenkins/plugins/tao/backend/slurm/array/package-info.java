/** Job arrays: the states of many tasks as that of one job. Above {@code reply}. */
@NullMarked
package io.jenkins.plugins.tao.backend.slurm.array;

import org.jspecify.annotations.NullMarked;
