/**
 * Sweeps: the cells of a matrix of values, each a job of its own; whose turn it is, which are hopeless, which repeat each other. Start at
 * {@link Matrix}. Pure. May use {@code gate}, {@code record}, {@code status}, {@code job}.
 */
@NullMarked
package io.jenkins.plugins.tao.sweep;

import org.jspecify.annotations.NullMarked;
