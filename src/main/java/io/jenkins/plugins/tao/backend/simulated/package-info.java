/**
 * Jobs that are played and not run: queue, start, epochs with noisy metrics, and chosen failures, in seconds. What is played is a
 * pure function of what a job asked for, its seed, the times of its attempts and whether it was cancelled; only these are kept, as
 * small files. Start at {@link io.jenkins.plugins.tao.backend.simulated.SimulatedType}; only {@code PlayStore} touches
 * files, and {@code Play} is pure. May use {@code backend}, {@code job}.
 */
@NullMarked
package io.jenkins.plugins.tao.backend.simulated;

import org.jspecify.annotations.NullMarked;
