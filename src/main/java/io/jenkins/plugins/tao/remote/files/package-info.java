/** Files and trees, sent and fetched over a host, checked by their sums. Above {@code shell}. */
@NullMarked
package io.jenkins.plugins.tao.remote.files;

import org.jspecify.annotations.NullMarked;
