/**
 * The nodes that failed under earlier jobs, kept so that later ones avoid them for a while. Start at
 * {@link io.jenkins.plugins.tao.nodes.NodeAvoidance}. May use {@code monitor}, {@code backend}, {@code job}.
 */
@NullMarked
package io.jenkins.plugins.tao.nodes;

import org.jspecify.annotations.NullMarked;
