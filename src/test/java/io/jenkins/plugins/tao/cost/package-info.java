@NullMarked
package io.jenkins.plugins.tao.cost;

import org.jspecify.annotations.NullMarked;
