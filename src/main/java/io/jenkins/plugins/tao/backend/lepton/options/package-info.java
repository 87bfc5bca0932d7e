/** What a target and a job may say of Lepton. The lowest layer of the adapter. */
@NullMarked
package io.jenkins.plugins.tao.backend.lepton.options;

import org.jspecify.annotations.NullMarked;
