/**
 * Where and when a job is sent: its targets in their order, its parent, its turn. {@link Placing} is pure; {@link Placer} does what it
 * says through a door. May use {@code journal} (for files that survive a crash), {@code monitor}, {@code backend}, {@code status}, {@code job}.
 */
@NullMarked
package io.jenkins.plugins.tao.placing;

import org.jspecify.annotations.NullMarked;
