/**
 * Where records and blessed baselines lie: one line of JSON each, added and never changed, beside the builds of a job or in the folder of
 * runs. Start at {@link io.jenkins.plugins.tao.history.RunHistory}. May use {@code cost}, {@code gate}, {@code record}, {@code job}.
 */
@NullMarked
package io.jenkins.plugins.tao.history;

import org.jspecify.annotations.NullMarked;
