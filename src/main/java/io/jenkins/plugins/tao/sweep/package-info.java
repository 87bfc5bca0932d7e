/** Sweeps: the cells of a matrix of values, each a job of its own. Start at {@link Matrix}. Pure. May use {@code job}. */
@NullMarked
package io.jenkins.plugins.tao.sweep;

import org.jspecify.annotations.NullMarked;
