/**
 * What a target and a job may say of Kubernetes, and the rules of its names and words. The lowest layer of the
 * adapter.
 */
@NullMarked
package io.jenkins.plugins.tao.backend.kubernetes.options;

import org.jspecify.annotations.NullMarked;
