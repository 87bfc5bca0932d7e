/**
 * The job that is asked for, and the same job as the API tells it: its state and why it failed; pure. Above {@code
 * view}.
 */
@NullMarked
package io.jenkins.plugins.tao.backend.lepton.request;

import org.jspecify.annotations.NullMarked;
