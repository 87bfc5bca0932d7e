/**
 * Reads TAO's {@code status.json} lines into events, metrics and progress, from any byte offset, half-written last
 * line included. May use {@code job}.
 */
@NullMarked
package io.jenkins.plugins.tao.status;

import org.jspecify.annotations.NullMarked;
