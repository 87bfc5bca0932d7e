/**
 * The files of a job's code: which of a directory belong to it, what they weigh, their checksums. Start at {@link CodeFolder}. Reads
 * files and asks {@code git}; sends nothing. May use {@code backend} (for {@code SourceTree}), {@code job}.
 */
@NullMarked
package io.jenkins.plugins.tao.code;

import org.jspecify.annotations.NullMarked;
