@NullMarked
package io.jenkins.plugins.tao.record;

import org.jspecify.annotations.NullMarked;
