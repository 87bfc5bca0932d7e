/**
 * Watches jobs: one poll per target and tick, growing files, patience and back-off, attempts, and the pure
 * {@code Tracker}. The only owner of time. May use {@code backend}, {@code failure}, {@code status}, {@code job}.
 */
@NullMarked
package io.jenkins.plugins.tao.monitor;

import org.jspecify.annotations.NullMarked;
