/**
 * Jobs on one machine without a scheduler: detached processes that no connection can take with it. Start at
 * {@link io.jenkins.plugins.tao.backend.box.LocalType}; only {@code BoxBackend} talks. May use {@code backend},
 * {@code failure}, {@code payload}, {@code spec}, {@code remote}, {@code job}.
 */
@NullMarked
package io.jenkins.plugins.tao.backend.box;

import org.jspecify.annotations.NullMarked;
