/**
 * What a run leaves behind in a folder: what was asked, all that happened, how it ended; for people, scripts and the
 * next process. Start at {@link io.jenkins.plugins.tao.journal.Journal}. May use {@code monitor}, {@code backend},
 * {@code failure}, {@code report}, {@code record}, {@code job}.
 */
@NullMarked
package io.jenkins.plugins.tao.journal;

import org.jspecify.annotations.NullMarked;
