/**
 * Machines that run a script and answer: the interface, this machine, and one behind an open channel. The lowest
 * layer.
 */
@NullMarked
package io.jenkins.plugins.tao.remote.host;

import org.jspecify.annotations.NullMarked;
