/**
 * What people and other tools read of nights: digests, failure cards, test reports; records and findings in, texts out. Pure. Start at
 * {@link io.jenkins.plugins.tao.report.Digest}. May use {@code gate}, {@code record}, {@code job}.
 */
@NullMarked
package io.jenkins.plugins.tao.report;

import org.jspecify.annotations.NullMarked;
