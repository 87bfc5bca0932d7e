/** What speaks against a job before it is sent, and what a workspace has. Above {@code logs}. */
@NullMarked
package io.jenkins.plugins.tao.backend.lepton.checks;

import org.jspecify.annotations.NullMarked;
