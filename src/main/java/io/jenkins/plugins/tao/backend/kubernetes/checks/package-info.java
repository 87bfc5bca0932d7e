/** What speaks against a request before it is sent: nodes, quotas, permissions, admission. Above {@code request}. */
@NullMarked
package io.jenkins.plugins.tao.backend.kubernetes.checks;

import org.jspecify.annotations.NullMarked;
