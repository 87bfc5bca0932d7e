/** Texts that the vocabulary is made of: sentences, lines, fingerprints, facts about keys, files beside a class. Below {@code job}. */
@NullMarked
package io.jenkins.plugins.tao.job.text;

import org.jspecify.annotations.NullMarked;
