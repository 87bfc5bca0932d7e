/**
 * What a run was: its record with a versioned schema, and its metrics as series. Pure. Start at
 * {@link io.jenkins.plugins.tao.record.RunRecord}. May use {@code status}, {@code job}.
 */
@NullMarked
package io.jenkins.plugins.tao.record;

import org.jspecify.annotations.NullMarked;
