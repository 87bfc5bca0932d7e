/** What the API says of jobs, pods and logs, as values. Above {@code options}. */
@NullMarked
package io.jenkins.plugins.tao.backend.kubernetes.view;

import org.jspecify.annotations.NullMarked;
