/** How jobs do, from what the API answered: states, waiting reasons, ends, causes and logs. Above {@code api}. */
@NullMarked
package io.jenkins.plugins.tao.backend.kubernetes.status;

import org.jspecify.annotations.NullMarked;
