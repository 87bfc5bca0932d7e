/** The same through {@code slurmrestd}; only {@code SlurmApi} talks. Above {@code checks}. */
@NullMarked
package io.jenkins.plugins.tao.backend.slurm.rest;

import org.jspecify.annotations.NullMarked;
