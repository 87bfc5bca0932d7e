/** The Jenkins door: {@link TaoRuntime} keeps the one engine of a controller. Only these packages know Jenkins. */
@NullMarked
package io.jenkins.plugins.tao.jenkins;

import org.jspecify.annotations.NullMarked;
