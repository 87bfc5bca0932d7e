/**
 * The pollers, one a target: when they ask, what they read, and how jobs are concluded. Start at {@code Monitor}.
 * Above {@code monitor}.
 */
@NullMarked
package io.jenkins.plugins.tao.monitor.poll;

import org.jspecify.annotations.NullMarked;
