/** The Pipeline steps {@code taoSubmit}, {@code taoWait} and {@code taoCancel}. None holds a thread; each saves only texts. */
@NullMarked
package io.jenkins.plugins.tao.jenkins.step;

import org.jspecify.annotations.NullMarked;
