/**
 * What runs around a user's command in a container that leaves nothing but its log, and the S3 storage its files come
 * from and go to. Start at {@link io.jenkins.plugins.tao.payload.Payload}; what its log says is read by
 * {@link io.jenkins.plugins.tao.payload.PayloadLog}. May use {@code http}, {@code spec}, {@code remote},
 * {@code backend}, {@code job}.
 */
@NullMarked
package io.jenkins.plugins.tao.payload;

import org.jspecify.annotations.NullMarked;
