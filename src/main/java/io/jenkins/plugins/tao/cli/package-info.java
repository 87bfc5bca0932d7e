/**
 * The same verbs without Jenkins, as {@code ./tao}; also the tool for trying a job file and for bug reports. May use
 * {@code dispatch}, {@code monitor}, {@code backend}, {@code job}.
 */
@NullMarked
package io.jenkins.plugins.tao.cli;

import org.jspecify.annotations.NullMarked;
