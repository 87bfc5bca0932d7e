/** Runs the cells of a sweep as jobs and keeps its state. Above {@code cli.jobs}. */
@NullMarked
package io.jenkins.plugins.tao.cli.sweep;

import org.jspecify.annotations.NullMarked;
