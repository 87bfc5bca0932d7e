/** Secrets, found in texts and hidden. Above {@code job}. */
@NullMarked
package io.jenkins.plugins.tao.job.mask;

import org.jspecify.annotations.NullMarked;
