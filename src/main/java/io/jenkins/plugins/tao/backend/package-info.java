/**
 * The port to every place that runs jobs: its promises, its errors, what goes in and what comes out. Start at
 * {@link io.jenkins.plugins.tao.backend.Backend}; {@link io.jenkins.plugins.tao.backend.BackendTypes} finds the
 * adapters. May use {@code job}.
 */
@NullMarked
package io.jenkins.plugins.tao.backend;

import org.jspecify.annotations.NullMarked;
