/**
 * Makes target/features.md of the tests that ran. {@link io.jenkins.plugins.tao.features.PromiseListener} notes in each
 * test process which tests with promises passed; {@link io.jenkins.plugins.tao.features.FeaturePage} lays these notes
 * beside the list in promises.tsv.
 */
@NullMarked
package io.jenkins.plugins.tao.features;

import org.jspecify.annotations.NullMarked;
