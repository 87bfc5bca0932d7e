/** What a target and a job may say of a machine without a scheduler. The lowest layer of the adapter. */
@NullMarked
package io.jenkins.plugins.tao.backend.box.options;

import org.jspecify.annotations.NullMarked;
