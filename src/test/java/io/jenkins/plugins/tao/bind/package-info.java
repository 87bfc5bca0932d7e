@NullMarked
package io.jenkins.plugins.tao.bind;

import org.jspecify.annotations.NullMarked;
