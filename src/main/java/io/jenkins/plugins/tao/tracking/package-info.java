/**
 * Tells an MLflow server of runs that have ended: records in, requests out. Start at
 * {@link io.jenkins.plugins.tao.tracking.Outbox}, which keeps each run on disk until the server has it; only
 * {@link io.jenkins.plugins.tao.tracking.MlflowApi} talks. May use {@code http}, {@code journal}, {@code record},
 * {@code backend} and {@code job}.
 */
@NullMarked
package io.jenkins.plugins.tao.tracking;

import org.jspecify.annotations.NullMarked;
