/**
 * Jobs on a Slurm cluster through the command line of its login node, or its {@code slurmrestd}. Start at
 * {@link io.jenkins.plugins.tao.backend.slurm.SlurmType}; only {@code SlurmBackend} talks, with the shell text of
 * {@code *.sh} beside the classes, and {@code SlurmApi} by REST. May use {@code bind}, {@code backend}, {@code failure},
 * {@code payload}, {@code spec}, {@code http}, {@code remote}, {@code job}.
 */
@NullMarked
package io.jenkins.plugins.tao.backend.slurm;

import org.jspecify.annotations.NullMarked;
