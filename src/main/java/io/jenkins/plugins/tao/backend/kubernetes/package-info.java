/**
 * Jobs on a Kubernetes cluster, through its API alone. Start at
 * {@link io.jenkins.plugins.tao.backend.kubernetes.KubernetesType}; {@code *Request} makes objects, {@code *Reply} reads
 * them, only {@code KubernetesApi} talks. May use {@code bind}, {@code backend}, {@code failure}, {@code payload}, {@code http},
 * {@code remote}, {@code job}.
 */
@NullMarked
package io.jenkins.plugins.tao.backend.kubernetes;

import org.jspecify.annotations.NullMarked;
