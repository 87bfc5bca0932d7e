/**
 * The verbs, one class each: their options and what they do. The highest layer below {@code cli} itself, which has
 * the program.
 */
@NullMarked
package io.jenkins.plugins.tao.cli.verbs;

import org.jspecify.annotations.NullMarked;
