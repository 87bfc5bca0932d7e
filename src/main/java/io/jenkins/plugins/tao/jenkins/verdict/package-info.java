/**
 * The verdict of a build in Jenkins: gates, blessings, digests, test results. Start at {@link io.jenkins.plugins.tao.jenkins.verdict.BuildGate}.
 */
@NullMarked
package io.jenkins.plugins.tao.jenkins.verdict;

import org.jspecify.annotations.NullMarked;
