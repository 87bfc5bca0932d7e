/**
 * Files as users write them, read into values that know their lines and into records: the job file of both doors. Start at
 * {@link ValueReader} and {@link FileReader}. May use {@code bind}, {@code placing}, {@code monitor}, {@code sweep}, {@code gate},
 * {@code cost}, {@code backend}, {@code job}.
 */
@NullMarked
package io.jenkins.plugins.tao.file;

import org.jspecify.annotations.NullMarked;
