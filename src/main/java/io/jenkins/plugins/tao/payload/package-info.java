/**
 * What runs around a user's command in a container that leaves nothing but its log, and the S3 storage its files come
 * from and go to. Start at {@link io.jenkins.plugins.tao.payload.Payload}; what its log says is read by
 * {@link io.jenkins.plugins.tao.payload.PayloadLog}. May use {@code job}, {@code backend} for its errors and
 * {@code spec} for the job's own texts,
 * {@code remote} for the words of a shell.
 */
@NullMarked
package io.jenkins.plugins.tao.payload;

import org.jspecify.annotations.NullMarked;
