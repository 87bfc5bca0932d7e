@NullMarked
package io.jenkins.plugins.tao.sweep;

import org.jspecify.annotations.NullMarked;
