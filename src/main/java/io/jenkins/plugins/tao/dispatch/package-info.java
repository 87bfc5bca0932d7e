/**
 * The verbs that every door shares: preflight, submit once, watch, cancel, diagnose, fetch. May use {@code monitor},
 * {@code backend}, {@code job}.
 */
@NullMarked
package io.jenkins.plugins.tao.dispatch;

import org.jspecify.annotations.NullMarked;
