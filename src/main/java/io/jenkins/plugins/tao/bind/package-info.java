/**
 * Makes records of keys and values, for the files of the command line and for forms alike. Start at
 * {@link RecordBinder}. May use {@code job}.
 */
@NullMarked
package io.jenkins.plugins.tao.bind;

import org.jspecify.annotations.NullMarked;
