/** Hosts over SSH: addresses, keys, the configuration of OpenSSH, sessions over MINA. Above {@code files}. */
@NullMarked
package io.jenkins.plugins.tao.remote.ssh;

import org.jspecify.annotations.NullMarked;
