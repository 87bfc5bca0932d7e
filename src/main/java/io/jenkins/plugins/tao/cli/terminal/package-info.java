/**
 * What surrounds a command: the environment, its folders, interrupts, exit codes and wrong usage. The lowest layer
 * of the command line.
 */
@NullMarked
package io.jenkins.plugins.tao.cli.terminal;

import org.jspecify.annotations.NullMarked;
