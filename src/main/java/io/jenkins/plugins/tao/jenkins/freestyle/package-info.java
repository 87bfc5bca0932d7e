/** The build step of Freestyle jobs. Its executor only waits; everything else is done as for Pipelines. */
@NullMarked
package io.jenkins.plugins.tao.jenkins.freestyle;

import org.jspecify.annotations.NullMarked;
