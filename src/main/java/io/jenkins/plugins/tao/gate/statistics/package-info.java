/** What numbers say of runs: series and their levels, changes, contrasts. The lowest layer. */
@NullMarked
package io.jenkins.plugins.tao.gate.statistics;

import org.jspecify.annotations.NullMarked;
