/**
 * Why jobs fail: rules over the lines of their logs, those of this version and those of a site, and where in a log the first error stands. Pure;
 * start at {@link io.jenkins.plugins.tao.failure.FailureRules}. May use {@code job}.
 */
@NullMarked
package io.jenkins.plugins.tao.failure;

import org.jspecify.annotations.NullMarked;
