/**
 * Requests to HTTP services over one kept client each, and their answers as values or as errors of the port. Start at
 * {@link io.jenkins.plugins.tao.http.HttpApi}; {@link io.jenkins.plugins.tao.http.HttpRequest} says what is asked,
 * {@link io.jenkins.plugins.tao.http.HttpReply} what came back. Nothing here is retried, and nothing is logged. May use
 * {@code job}, and {@code backend} for its errors.
 */
@NullMarked
package io.jenkins.plugins.tao.http;

import org.jspecify.annotations.NullMarked;
