/**
 * What a user enters: targets in Manage Jenkins, the options of a job, and the credentials both name. Everything is kept
 * as text, as a form shows it; Pipelines may give numbers, lists and maps instead ({@link PipelineText}). Makes targets
 * and options of the backends and nothing else of them.
 */
@NullMarked
package io.jenkins.plugins.tao.jenkins.config;

import org.jspecify.annotations.NullMarked;
