/**
 * Judges a run by the runs before it: run records in, findings out. Pure: no Jenkins, no clock, no file. Start at
 * {@link io.jenkins.plugins.tao.gate.Gate}. The method is in docs/gates.md. May use {@code record}, {@code job}.
 */
@NullMarked
package io.jenkins.plugins.tao.gate;

import org.jspecify.annotations.NullMarked;
