@NullMarked
package io.jenkins.plugins.tao.gate;

import org.jspecify.annotations.NullMarked;
