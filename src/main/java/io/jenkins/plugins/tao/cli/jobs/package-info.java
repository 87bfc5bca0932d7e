/** Sends jobs, follows them and takes them up again, on behalf of the verbs. Above {@code cli.input}. */
@NullMarked
package io.jenkins.plugins.tao.cli.jobs;

import org.jspecify.annotations.NullMarked;
