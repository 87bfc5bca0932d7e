/** The objects that a job asks for: Jobs, pods, services and secrets; pure. Above {@code access}. */
@NullMarked
package io.jenkins.plugins.tao.backend.kubernetes.request;

import org.jspecify.annotations.NullMarked;
