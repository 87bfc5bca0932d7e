/** Targets and defaults of folders; loaded only where the plugin for folders is there. Start at {@link TaoFolderProperty}. */
@NullMarked
package io.jenkins.plugins.tao.jenkins.folder;

import org.jspecify.annotations.NullMarked;
