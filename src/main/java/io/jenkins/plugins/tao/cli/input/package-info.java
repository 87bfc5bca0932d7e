/**
 * What the user writes, read into records: job files, sweep files, target files, options and environment variables.
 * Above {@code cli.records}.
 */
@NullMarked
package io.jenkins.plugins.tao.cli.input;

import org.jspecify.annotations.NullMarked;
