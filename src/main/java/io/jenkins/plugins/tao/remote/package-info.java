/**
 * Words to a shell and streams to and from it, on this machine or over SSH. Start at
 * {@link io.jenkins.plugins.tao.remote.host.Host}. May use {@code job}, {@code code}, and
 * {@code backend} for its errors.
 */
@NullMarked
package io.jenkins.plugins.tao.remote;

import org.jspecify.annotations.NullMarked;
