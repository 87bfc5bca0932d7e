@NullMarked
package io.jenkins.plugins.tao.placing;

import org.jspecify.annotations.NullMarked;
