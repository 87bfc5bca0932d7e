/** How the API is reached: kubeconfigs, credentials, addresses and time limits. Above {@code view}. */
@NullMarked
package io.jenkins.plugins.tao.backend.kubernetes.access;

import org.jspecify.annotations.NullMarked;
