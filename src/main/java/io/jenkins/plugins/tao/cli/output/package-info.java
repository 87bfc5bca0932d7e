/**
 * What a command prints of jobs, as lines, as a live line or as JSON, and the options that choose it. Above {@code
 * cli.terminal}.
 */
@NullMarked
package io.jenkins.plugins.tao.cli.output;

import org.jspecify.annotations.NullMarked;
