/** What the user asks of a run, and what it is compared with. Above {@code gate.statistics}. */
@NullMarked
package io.jenkins.plugins.tao.gate.criteria;

import org.jspecify.annotations.NullMarked;
