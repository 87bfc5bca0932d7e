/** Files of jobs and of volumes, fetched through pods. Above {@code status}. */
@NullMarked
package io.jenkins.plugins.tao.backend.kubernetes.fetch;

import org.jspecify.annotations.NullMarked;
