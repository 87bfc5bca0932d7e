@NullMarked
package io.jenkins.plugins.tao.code;

import org.jspecify.annotations.NullMarked;
