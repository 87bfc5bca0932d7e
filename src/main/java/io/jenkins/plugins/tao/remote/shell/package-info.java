/** Shell text that is built of quoted words, and its answers read. Above {@code host}. */
@NullMarked
package io.jenkins.plugins.tao.remote.shell;

import org.jspecify.annotations.NullMarked;
