/**
 * What runs used and cost: records in, tables and answers out. No clock, no file, no Jenkins. Start at
 * {@link io.jenkins.plugins.tao.cost.CostTable}. May use {@code gate}, {@code record}, {@code job}.
 */
@NullMarked
package io.jenkins.plugins.tao.cost;

import org.jspecify.annotations.NullMarked;
