/**
 * What every backend makes of a job before it sends it: the experiment spec as a file, the command without
 * placeholders, the variables that tell the job who it is. Start at {@link FilledJob}. Pure. May use {@code remote} (for
 * quotes), {@code backend}, {@code job}.
 */
@NullMarked
package io.jenkins.plugins.tao.spec;

import org.jspecify.annotations.NullMarked;
