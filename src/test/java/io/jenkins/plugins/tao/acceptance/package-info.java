/** Tests that drive the built plugin in a real Jenkins over HTTP, with jobs on this machine. They run where they are asked for. */
@NullMarked
package io.jenkins.plugins.tao.acceptance;

import org.jspecify.annotations.NullMarked;
