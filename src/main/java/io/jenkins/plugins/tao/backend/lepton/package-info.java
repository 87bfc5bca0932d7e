/**
 * Jobs in a workspace of DGX Cloud Lepton, over its web interface. Start at
 * {@link io.jenkins.plugins.tao.backend.lepton.LeptonType}; {@code LeptonRequest} makes what is sent, {@code LeptonJob}
 * and its neighbours read what comes back, only {@code LeptonApi} talks. May use {@code bind}, {@code backend},
 * {@code failure}, {@code payload}, {@code spec}, {@code http}, {@code job}.
 */
@NullMarked
package io.jenkins.plugins.tao.backend.lepton;

import org.jspecify.annotations.NullMarked;
