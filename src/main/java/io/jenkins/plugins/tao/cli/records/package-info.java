/**
 * What earlier commands left on disk, as values: the entries of jobs and the records of runs. Above {@code
 * cli.output}.
 */
@NullMarked
package io.jenkins.plugins.tao.cli.records;

import org.jspecify.annotations.NullMarked;
