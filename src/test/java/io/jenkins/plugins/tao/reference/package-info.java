/**
 * Makes docs/reference of the records of targets, options and job files with their {@code @Option}, of the forms that bear
 * their names, and of the steps' forms. {@link io.jenkins.plugins.tao.reference.ReferencePages} is the build's step.
 */
@NullMarked
package io.jenkins.plugins.tao.reference;

import org.jspecify.annotations.NullMarked;
