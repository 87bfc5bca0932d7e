/** The logs of a job over all its replicas, and the files of a job. Above {@code api}. */
@NullMarked
package io.jenkins.plugins.tao.backend.lepton.logs;

import org.jspecify.annotations.NullMarked;
