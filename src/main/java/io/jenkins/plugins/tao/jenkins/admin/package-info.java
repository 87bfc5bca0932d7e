/** What administrators see of all builds: the watched jobs, and how each target answers. Asks no target. */
@NullMarked
package io.jenkins.plugins.tao.jenkins.admin;

import org.jspecify.annotations.NullMarked;
