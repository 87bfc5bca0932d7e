/** Tests that drive the built plugin in a real Jenkins over HTTP, with jobs on this machine. They run where a Jenkins is at hand. */
@NullMarked
package io.jenkins.plugins.tao.acceptance;

import org.jspecify.annotations.NullMarked;
