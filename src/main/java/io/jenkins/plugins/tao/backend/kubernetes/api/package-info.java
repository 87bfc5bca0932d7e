/** The calls of the API; the only place that talks to it. Above {@code checks}. */
@NullMarked
package io.jenkins.plugins.tao.backend.kubernetes.api;

import org.jspecify.annotations.NullMarked;
