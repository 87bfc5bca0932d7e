/** What numbers say of nights: levels, changes, contrasts, slow drops. The lowest layer. */
@NullMarked
package io.jenkins.plugins.tao.gate.statistics;

import org.jspecify.annotations.NullMarked;
