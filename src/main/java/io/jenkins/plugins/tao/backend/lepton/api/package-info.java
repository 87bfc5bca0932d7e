/** The calls of the API; the only place that talks to it. Above {@code request}. */
@NullMarked
package io.jenkins.plugins.tao.backend.lepton.api;

import org.jspecify.annotations.NullMarked;
