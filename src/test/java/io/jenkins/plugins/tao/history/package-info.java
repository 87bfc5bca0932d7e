@NullMarked
package io.jenkins.plugins.tao.history;

import org.jspecify.annotations.NullMarked;
