@NullMarked
package io.jenkins.plugins.tao.tracking;

import org.jspecify.annotations.NullMarked;
